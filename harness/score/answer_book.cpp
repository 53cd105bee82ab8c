// SPDX-License-Identifier: Apache-2.0
#include "answer_book.h"

#include <utility>

namespace assay::score {

AnswerBook::Begun AnswerBook::begin(const std::string& id, const std::string& content, bool anew) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found != entries_.end()) {
    Entry& entry = found->second;
    const bool same = entry.content == content;
    if (!entry.ended) return same ? Begun::known : Begun::conflict;
    if (same && entry.is_final && !anew) return Begun::known;
    bytes_ -= entry.line.size();
    ended_.erase(entry.place);
    entries_.erase(found);
  }
  entries_[id].content = content;
  return Begun::fresh;
}

void AnswerBook::cancel(const std::string& id) {
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    listeners = std::move(entries_[id].listeners);
    entries_.erase(id);
  }
  for (const Listener& listener : listeners) listener("");
}

void AnswerBook::finish(const std::string& id, std::string line, bool is_final) {
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[id];
    listeners = std::move(entry.listeners);
    entry.listeners.clear();
    entry.line = line;
    entry.ended = true;
    entry.is_final = is_final;
    entry.place = ended_.insert(ended_.end(), id);
    bytes_ += line.size();
    forget_oldest();
  }
  for (const Listener& listener : listeners) listener(line);
}

bool AnswerBook::listen(const std::string& id, Listener listener) {
  std::string line;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return false;
    if (!found->second.ended) {
      found->second.listeners.push_back(std::move(listener));
      return true;
    }
    line = found->second.line;
  }
  listener(line);
  return true;
}

void AnswerBook::forget_oldest() {
  while (bytes_ > most_bytes_ && ended_.size() > 1) {
    const auto oldest = entries_.find(ended_.front());
    bytes_ -= oldest->second.line.size();
    entries_.erase(oldest);
    ended_.pop_front();
  }
}

}  // namespace assay::score
