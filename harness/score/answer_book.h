// SPDX-License-Identifier: Apache-2.0
// Samples by id: those under way, and the answers of those that have ended. Who asks twice for the same is judged once; who went away
// finds the answer later.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace assay::score {

class AnswerBook {
 public:
  enum class Begun {
    fresh,     ///< is to be judged
    known,     ///< the same is under way, or was answered
    conflict,  ///< another sample of this id is under way
  };
  using Listener = std::function<void(const std::string& line)>;

  /// Answers of so many bytes are kept, the latest ones.
  explicit AnswerBook(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// `content`: digest of all that the answer depends on. `anew`: an answer that is there already will not do.
  Begun begin(const std::string& id, const std::string& content, bool anew);
  /// It will not be judged after all; who listens gets an empty line.
  void cancel(const std::string& id);
  /// `is_final`: the same sample would have the same answer again.
  void finish(const std::string& id, std::string line, bool is_final);
  /// Calls `listener` with the answer, now or when it comes. False where the id is not known.
  bool listen(const std::string& id, Listener listener);

 private:
  struct Entry {
    std::string content, line;
    bool ended = false, is_final = false;
    std::vector<Listener> listeners;
    std::list<std::string>::iterator place;  ///< in ended_, where it has ended
  };
  void forget_oldest();

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::list<std::string> ended_;  ///< the latest last
  std::size_t bytes_ = 0;
};

}  // namespace assay::score
