#include <signal.h>

#include "Board.h"
#include "Testing.h"

namespace {

/// A board whose sketch has run the case `name`, which ended it.
struct Refused : Board {
  explicit Refused(const std::string& name) : Board("Asserts") {
    run(kSecond / 20);
    sendSerial(name + "\n");
    runToEnd();
  }
  std::string text() const {
    EXPECT_EQUAL(fault().kind, static_cast<uint32_t>(CFC_FAULT_ASSERT));
    return fault().message;
  }
};

const char kMayWait[] =
    "(!( ( xTaskGetSchedulerState() == ( ( BaseType_t ) 0 ) ) && ( xTicksToWait != 0 ) ))";
const char kIsNotSuspended[] =
    "(( ( xTaskGetSchedulerState() == ( ( BaseType_t ) 0 ) ) ? ( ( BaseType_t ) 1 ) : "
    "( ( BaseType_t ) 0 ) ) == ( ( BaseType_t ) 0 ))";

}  // namespace

TEST(aMutexIsNotForInterrupts) {
  EXPECT_EQUAL(Refused("give in interrupt").text(),
               std::string("assert failed: xQueueGiveFromISR queue.c:1367 "
                           "(!( ( pxQueue->pcHead == ((void *)0) ) && "
                           "( pxQueue->u.xSemaphore.xMutexHolder != ((void *)0) ) ))"));
}

TEST(onlyItsHolderGivesAMutex) {
  EXPECT_EQUAL(Refused("give by another task").text(),
               std::string("assert failed: xTaskPriorityDisinherit tasks.c:5156 "
                           "(pxTCB == pxCurrentTCBs[ xPortGetCoreID() ])"));
}

TEST(queuesAndSemaphoresAreNotNull) {
  EXPECT_EQUAL(Refused("take NULL").text(),
               std::string("assert failed: xQueueSemaphoreTake queue.c:1709 (( pxQueue ))"));
  EXPECT_EQUAL(Refused("send to NULL").text(),
               std::string("assert failed: xQueueGenericSend queue.c:936 (pxQueue)"));
  EXPECT_EQUAL(Refused("receive from NULL").text(),
               std::string("assert failed: xQueueReceive queue.c:1531 (( pxQueue ))"));
}

TEST(queuesRefuseWhatTheyCannotHold) {
  EXPECT_EQUAL(Refused("send nothing").text(),
               std::string("assert failed: xQueueGenericSend queue.c:937 "
                           "(!( ( pvItemToQueue == ((void *)0) ) && "
                           "( pxQueue->uxItemSize != ( UBaseType_t ) 0U ) ))"));
  EXPECT_EQUAL(
      Refused("take a queue").text(),
      std::string("assert failed: xQueueSemaphoreTake queue.c:1713 (pxQueue->uxItemSize == 0)"));
  EXPECT_EQUAL(Refused("queue of length 0").text(),
               std::string("assert failed: xQueueGenericCreate queue.c:573 (pxNewQueue)"));
}

TEST(nothingBlocksWhileTheSchedulerIsSuspended) {
  EXPECT_EQUAL(Refused("delay while suspended").text(),
               std::string("assert failed: vTaskDelay tasks.c:1586 ") + kIsNotSuspended);
  EXPECT_EQUAL(Refused("take while suspended").text(),
               std::string("assert failed: xQueueSemaphoreTake queue.c:1718 ") + kMayWait);
  EXPECT_EQUAL(Refused("resume without suspending").text().substr(0, 42),
               std::string("assert failed: xTaskResumeAll tasks.c:2597"));
}

TEST(tasksHaveAPriorityAndACoreThatExist) {
  EXPECT_EQUAL(
      Refused("priority").text(),
      std::string("assert failed: prvInitialiseNewTask tasks.c:1111 (uxPriority < ( 25 ))"));
  EXPECT_EQUAL(
      Refused("core").text().substr(0, 71),
      std::string("assert failed: xTaskCreatePinnedToCore freertos_tasks_c_additions.h:163"));
  EXPECT_EQUAL(Refused("notify NULL").text(),
               std::string("assert failed: xTaskGenericNotify tasks.c:5909 (xTaskToNotify)"));
}

TEST(timersAndEventGroupsRefuseWhatTheyCannotBe) {
  EXPECT_EQUAL(Refused("timer of 0 ticks").text(),
               std::string("assert failed: prvInitialiseNewTimer timers.c:428 "
                           "(( xTimerPeriodInTicks > 0 ))"));
  EXPECT_EQUAL(Refused("event bits").text(),
               std::string("assert failed: xEventGroupSetBits event_groups.c:562 "
                           "(( uxBitsToSet & 0xff000000UL ) == 0)"));
}

TEST(aDeletedTaskIsNotDeletedAgain) {
  Refused board("delete twice");
  EXPECT_EQUAL(board.fault().kind, static_cast<uint32_t>(CFC_FAULT_SIGNAL));
  EXPECT_EQUAL(board.fault().signal, static_cast<uint32_t>(SIGSEGV));
  EXPECT_EQUAL(board.fault().fault_address, 4u);
}

TEST(waitingWhereNothingCanWakeEndsByTheInterruptWatchdog) {
  EXPECT_EQUAL(Refused("delay in a critical section").fault().kind,
               static_cast<uint32_t>(CFC_FAULT_INTERRUPT_WATCHDOG));
  EXPECT_EQUAL(Refused("take in interrupt").fault().kind,
               static_cast<uint32_t>(CFC_FAULT_INTERRUPT_WATCHDOG));
}

TEST(aCriticalSectionIsLeftByItsOwner) {
  EXPECT_EQUAL(Refused("exit without entering").text(),
               std::string("assert failed: spinlock_release spinlock.h:190 "
                           "(core_owner_id == lock->owner)"));
}
