// SPDX-License-Identifier: Apache-2.0
// Names that the languages of candidates have taken. A parameter may not be a word of any of them; a function may not be one of the C
// library or of a device's mathematics either, since kernel.h declares it for the linker.
// Sources: ISO C17 6.4.1 and 7.1.3, POSIX.1-2017's headers, ISO C++20 [lex.key], CUDA C++ Programming Guide (built-in types and
// variables, mathematical functions), OpenCL C 1.2 6.1 and 6.9, The Python Language Reference 2.3.1.
#include "reserved_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

namespace assay::spec {
namespace {

using Words = std::set<std::string, std::less<>>;

Words words_of(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

struct Language {
  const char* name;
  Words words;
};

/// Words that cannot name anything.
const std::vector<Language>& languages() {
  static const std::vector<Language> all = {
      {"C", words_of(R"(
      auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
      return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false asm typeof NULL EOF
      NAN INFINITY HUGE_VAL errno assert stdin stdout stderr offsetof RAND_MAX CHAR_BIT INT_MIN INT_MAX LONG_MIN LONG_MAX UINT_MAX
      SIZE_MAX FLT_MIN FLT_MAX FLT_EPSILON DBL_MIN DBL_MAX DBL_EPSILON M_PI M_E M_SQRT2 int8_t int16_t int32_t int64_t uint8_t
      uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t size_t ptrdiff_t)")},
      {"C++", words_of(R"(
      alignas alignof and and_eq bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept
      const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not
      not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this
      thread_local throw try typeid typename using virtual wchar_t xor xor_eq std)")},
      {"CUDA", words_of("threadIdx blockIdx blockDim gridDim warpSize dim3 half half2 nv_bfloat16 nv_bfloat162")},
      {"OpenCL", words_of(R"(
      kernel global local constant private generic read_only write_only read_write uchar ushort uint ulong half quad complex imaginary
      uniform pipe image1d_t image2d_t image3d_t sampler_t event_t queue_t)")},
      {"Python", words_of(R"(
      False None True and as assert async await break class continue def del elif else except finally for from global if import in is
      lambda nonlocal not or pass raise return try while with yield)")}};
  return all;
}

/// Whether `name` is a vector type of CUDA or OpenCL: float4, ushort16.
bool is_vector_type(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos) return false;
  static const Words kElements = words_of("char uchar short ushort int uint long ulong longlong ulonglong float double half"),
                     kCounts = words_of("1 2 3 4 8 16");
  return kElements.contains(name.substr(0, digits)) && kCounts.contains(name.substr(digits));
}

/// Functions of <math.h> and of CUDA, each also with the suffix f, most with l.
const Words& mathematics() {
  static const Words all = words_of(R"(
      abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax
      fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
      nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan
      tanh tgamma trunc y0 y1 yn drem finite isinf isnan signbit isfinite isnormal fpclassify cabs cacos cacosh carg casin casinh
      catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh cospi cyl_bessel_i0 cyl_bessel_i1
      erfcinv erfcx erfinv max min mul24 norm norm3d norm4d normcdf normcdfinv rcbrt rhypot rnorm rnorm3d rnorm4d rsqrt sincospi sinpi
      umax umin llmax llmin ullmax ullmin saturate)");
  return all;
}

/// Functions and objects of the C library's other headers.
const Words& library() {
  static const Words all = words_of(R"(
      abort accept access alarm aligned_alloc alloca asctime asprintf at_quick_exit atexit atof atoi atol atoll basename bcmp bcopy
      bind brk bsearch bzero call_once calloc chdir chmod chown clearenv clearerr clock clone close closedir closelog confstr connect
      creat crypt ctermid ctime daemon daylight difftime dirfd dirname div dlclose dlerror dlopen dlsym dprintf drand48 dup dup2 dup3
      ecvt encrypt environ erand48 err errx error execl execle execlp execv execve execvp exit explicit_bzero fallocate fchdir fchmod
      fchown fclose fcntl fcvt fdatasync fdopen feclearexcept fegetenv fegetround feholdexcept feof feraiseexcept ferror fesetenv
      fesetround fetestexcept feupdateenv fexecve fflush ffs fgetc fgetpos fgets fgetwc fgetws fileno flock flockfile fnmatch fopen
      fork fpathconf fprintf fputc fputs fputwc fputws fread free freeaddrinfo freelocale freopen fscanf fseek fseeko fsetpos fstat
      fsync ftell ftello ftime ftok ftruncate ftw fwide fwprintf fwrite fwscanf gcvt getaddrinfo getc getchar getcwd getdate getdelim
      getegid getentropy getenv geteuid getgid getgroups gethostname getline getlogin getopt getpagesize getpeername getpgid getpgrp
      getpid getppid getpriority getrandom getrlimit getrusage gets getsid getsockname getsockopt gettext gettimeofday getuid getw
      getwc getwchar glob globfree gmtime grantpt htonl htons iconv imaxabs imaxdiv index initgroups initstate insque ioctl isalnum
      isalpha isascii isatty isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit jrand48 kill killpg labs
      lchown lcong48 ldiv lfind link linkat listen llabs lldiv localeconv localtime lockf longjmp lrand48 lsearch lseek lstat madvise
      main malloc mblen mbrlen mbrtowc mbsinit mbstowcs mbtowc memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset
      mincore mkdir mkdtemp mkfifo mknod mkstemp mktemp mktime mlock mlockall mmap mount mprotect mrand48 mremap msync munlock
      munlockall munmap nanosleep nftw nice nl_langinfo nrand48 ntohl ntohs on_exit open openat opendir openlog optarg opterr optind
      optopt pathconf pause pclose perror pipe pipe2 poll popen pread printf program_invocation_name psignal ptrace ptsname putc
      putchar putenv puts pututxline putw putwc putwchar pwrite qsort quick_exit raise rand random read readahead readdir readlink
      readv realloc reallocarray realpath recv recvfrom recvmsg regcomp regerror regexec regfree remove remque rename rewind rewinddir
      rindex rmdir sbrk scandir scanf seed48 seekdir select send sendfile sendmsg sendto setbuf setbuffer setegid setenv seteuid
      setgid setgroups setitimer setjmp setlinebuf setlocale setpgid setpriority setregid setreuid setrlimit setsid setsockopt
      setstate settimeofday setuid setvbuf shutdown sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset sigismember
      siglongjmp signal signgam sigpending sigprocmask sigqueue sigsuspend sigtimedwait sigwait sleep snprintf socket socketpair
      splice sprintf srand srand48 srandom sscanf stat statfs statvfs stime stpcpy stpncpy strcasecmp strcasestr strcat strchr strcmp
      strcoll strcpy strcspn strdup strerror strfmon strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk
      strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax
      strxfrm swab swprintf swscanf symlink sync syscall sysconf sysctl syslog system tcgetattr tcsetattr tdelete tee telldir tempnam
      tfind time timegm times timespec_get timezone tmpfile tmpnam toascii tolower toupper towlower towupper truncate tsearch ttyname
      twalk tzname tzset ualarm umask umount uname ungetc ungetwc unlink unlockpt unsetenv uselocale usleep utime utimes valloc
      vasprintf verr vfork vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf vsyslog wait wait3 wait4 waitid waitpid warn
      warnx wcrtomb wcscat wcschr wcscmp wcscpy wcscspn wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsspn wcsstr wcstod wcstok
      wcstol wcstombs wcstoul wctomb wcwidth wmemchr wmemcmp wmemcpy wmemmove wmemset wordexp write writev tensors dims)");
  return all;
}

/// Whole families.
bool has_reserved_prefix(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {"assay_", "aio_",   "atomic_",  "cnd_",   "cuda", "inet_", "mq_",   "mtx_",   "nvvm_",
                                                   "omp_",   "posix_", "pthread_", "sched_", "sem_", "shm_",  "thrd_", "timer_", "tss_"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// `_X` and whatever has `__` belong to compilers.
bool is_compilers_own(std::string_view name) {
  const bool capital = name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])) != 0;
  return capital || name.find("__") != std::string_view::npos;
}

bool is_mathematics(std::string_view name) {
  const bool suffixed = name.ends_with('f') || name.ends_with('l');
  return mathematics().contains(name) || (suffixed && mathematics().contains(name.substr(0, name.size() - 1)));
}

}  // namespace

std::string taken_as_parameter(std::string_view name) {
  for (const Language& language : languages())
    if (language.words.contains(name)) return std::string("a word of ") + language.name;
  if (is_vector_type(name)) return "a vector type of CUDA and OpenCL";
  if (is_compilers_own(name)) return "of a form that compilers keep for themselves";
  return {};
}

std::string taken_as_function(std::string_view name) {
  if (std::string taken = taken_as_parameter(name); !taken.empty()) return taken;
  if (is_mathematics(name)) return "a function of <math.h> or of CUDA";
  if (library().contains(name)) return "a name of the C library or of the stub that calls the kernel";
  if (has_reserved_prefix(name)) return "of a family of names of the C library, OpenMP, CUDA or KernelAssay";
  return {};
}

}  // namespace assay::spec
