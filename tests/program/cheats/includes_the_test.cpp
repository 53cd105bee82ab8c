// verdict: COMPILE_ERROR
// stage: compile
#include "test/test_main.cpp"
