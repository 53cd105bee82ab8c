// SPDX-License-Identifier: Apache-2.0
// Prints where wire.h has what boxes in Python read: lines "<structure> <field> <offset>", and constants.
#include <cstddef>
#include <cstdio>

#include "assay/wire/wire.h"

namespace wire = assay::wire;

#define FIELD(structure, field) std::printf(#structure " " #field " %zu\n", offsetof(wire::structure, field))
#define CONSTANT(name, value) std::printf("constant " #name " %lld\n", static_cast<long long>(value))

int main() {
  FIELD(Command, go);
  FIELD(Command, version);
  FIELD(Command, kind);
  FIELD(Command, layout);
  FIELD(Command, spin);
  FIELD(Command, filter);
  FIELD(Command, arenas);
  FIELD(Command, set);
  FIELD(Command, buffer_count);
  FIELD(Command, dim_count);
  FIELD(Command, dims);
  FIELD(Command, buffers);
  FIELD(Buffer, offset);
  FIELD(Buffer, pages);
  FIELD(Buffer, start);
  FIELD(Buffer, bytes);
  FIELD(Buffer, is_output);
  FIELD(Buffer, is_scratch);
  FIELD(Status, done);
  FIELD(Status, ready);
  FIELD(Status, fault);
  FIELD(Status, signal);
  FIELD(Status, buffer);
  FIELD(Status, memory_exhausted);
  FIELD(Status, fault_offset);
  FIELD(Status, device_ns);
  FIELD(Status, message);
  FIELD(Status, batches);
  FIELD(Status, set_ns);
  CONSTANT(VERSION, wire::kVersion);
  CONSTANT(MOST_BUFFERS, wire::kMaxBuffers);
  CONSTANT(MOST_SETS, wire::kMaxSets);
  CONSTANT(MOST_DIMS, wire::kMaxDims);
  CONSTANT(COMMAND_FD, wire::kCommandFd);
  CONSTANT(STATUS_FD, wire::kStatusFd);
  CONSTANT(INPUTS_FD, wire::kInputsFd);
  CONSTANT(OUTPUTS_FD, wire::kOutputsFd);
  CONSTANT(KERNEL, wire::CallKind::kernel);
  CONSTANT(EMPTY, wire::CallKind::empty);
  CONSTANT(UPLOAD, wire::CallKind::upload);
  CONSTANT(DOWNLOAD, wire::CallKind::download);
  CONSTANT(STOW, wire::CallKind::stow);
  CONSTANT(FETCH, wire::CallKind::fetch);
  CONSTANT(BATCH, wire::CallKind::batch);
  CONSTANT(EMPTY_BATCH, wire::CallKind::empty_batch);
  CONSTANT(STARTING, wire::kStarting);
  CONSTANT(LOADED, wire::kLoaded);
  CONSTANT(NOT_LOADED, wire::kNotLoaded);
  CONSTANT(ARRIVED, wire::kArrived);
  CONSTANT(REFUSED, wire::Fault::refused);
  std::printf("size Buffer %zu\n", sizeof(wire::Buffer));
}
