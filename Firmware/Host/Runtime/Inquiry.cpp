// The answer to the board's question where each task is (firmware_channel.h, "Inquiries"). Frame
// pointers are followed, since a task's stack has no room for an unwinder.
#include <cstring>

#include "Context.h"
#include "Cores.h"
#include "Fault.h"
#include "Runtime.h"

// The program's bounds, from the linker.
extern "C" const char __executable_start;
extern "C" const char etext;

namespace espbench {
namespace {

/// Writes the places in the program at which the functions of a stack were left.
uint32_t trace(const FrameRecord* frame, const Task& task, uint64_t* frames) {
  uint32_t count = 0;
  auto isInStack = [&](const FrameRecord* record) {
    auto* at = reinterpret_cast<const uint8_t*>(record);
    return at >= task.stackLow && at + sizeof *record <= task.stackHigh;
  };
  while (count < CFC_TASK_FRAMES && isInStack(frame)) {
    // A return address follows its call.
    const uint64_t address = codeAddress(frame->returnAddress - 1);
    if (address != 0) frames[count++] = address;
    if (frame->caller <= frame) break;
    frame = frame->caller;
  }
  return count;
}

uint32_t stateOf(const Task& task) {
  switch (task.state) {
    case TaskState::blocked:
      return CFC_TASK_WAITING;
    case TaskState::suspended:
      return CFC_TASK_SUSPENDED;
    default:
      return hasCore(&task) ? CFC_TASK_RUNNING : CFC_TASK_READY;
  }
}

}  // namespace

uint64_t codeAddress(uintptr_t address) {
  auto start = reinterpret_cast<uintptr_t>(&__executable_start);
  if (address < start || address >= reinterpret_cast<uintptr_t>(&etext)) return 0;
#if defined(__PIE__)
  return address - start;
#else
  // A program at a fixed address has no offset.
  return address;
#endif
}

void answerInquiry() {
  uint32_t used = 0;
  for (const Task* task = taskList; task != nullptr; task = task->next) {
    if (CFC_TO_BOARD_CAPACITY - used < sizeof(cfc_task)) break;
    cfc_task answer = {};
    memcpy(answer.name, task->name, sizeof answer.name - 1);
    answer.state = stateOf(*task);
    answer.until_ns = task->state == TaskState::blocked ? task->deadline : CFC_NEVER;
    const FrameRecord* frame = nullptr;
    if (task == currentTask()) {
      frame = static_cast<const FrameRecord*>(__builtin_frame_address(0));
    } else if (task->context != nullptr) {
      frame = frameOf(task->context);
    }
    if (frame != nullptr) answer.frame_count = trace(frame, *task, answer.frames);
    memcpy(cfc_to_board(channel()) + used, &answer, sizeof answer);
    used += sizeof answer;
  }
  channel()->to_board_length = used;
}

}  // namespace espbench
