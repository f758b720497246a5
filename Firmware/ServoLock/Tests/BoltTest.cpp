// The bolt: commands, motion, state over power losses, relocking.
#include <algorithm>
#include <new>

#include "Bolt.h"
#include "Fakes.h"
#include "Testing.h"

using Lines = std::vector<std::string>;

namespace {

/// A bolt whose clock starts shortly before it wraps around.
struct Door {
  FakeStore store;
  FakeConsole console;
  Bolt bolt{store, console};
  uint32_t now = UINT32_MAX - 200;

  void run(uint32_t milliseconds) {
    for (uint32_t end = now + milliseconds; now != end;) {
      now++;
      bolt.tick(now);
    }
  }
  void command(LockCommand command) {
    bolt.command(command);
    bolt.tick(now);
  }
  /// The state after a power loss: only the store.
  void cutPower() {
    bolt.~Bolt();
    new (&bolt) Bolt(store, console);
    now = 5;
    console.take();
    bolt.begin(now);
  }
};

}  // namespace

// Commands

TEST(exactlyTwoValuesAreCommands) {
  int commands = 0;
  for (int byte = 0; byte < 256; byte++) {
    const uint8_t value = static_cast<uint8_t>(byte);
    if (parseLockCommand(&value, 1) != LockCommand::none) commands++;
  }
  EXPECT_EQUAL(commands, 2);
  const uint8_t values[] = {'0', '1', '1'};
  EXPECT(parseLockCommand(values, 1) == LockCommand::lock);
  EXPECT(parseLockCommand(values + 1, 1) == LockCommand::unlock);
  for (size_t length : {0, 2, 3}) EXPECT(parseLockCommand(values, length) == LockCommand::none);
}

TEST(aRefusedValueCannotForgeALine) {
  const uint8_t value[] = {'o', '\r', '\n', 0, 0xff, '\\', ' '};
  char text[sizeof value * 4 + 1];
  EXPECT_EQUAL(std::string(writeValue(value, sizeof value, text, sizeof text)),
               std::string("o\\x0d\\x0a\\x00\\xff\\x5c "));
  char shortText[8];
  EXPECT_EQUAL(std::string(writeValue(value, sizeof value, shortText, sizeof shortText)),
               std::string("o\\x0d"));
  EXPECT_EQUAL(std::string(writeValue(value, 0, text, sizeof text)), std::string());
}

// Motion

TEST(theServoSweepsHoldsAndIsDetached) {
  BoltMotion motion;
  motion.setPosition(0);
  EXPECT(!motion.isDriven());
  motion.moveTo(90);
  motion.tick(1000);
  EXPECT(motion.isDriven());
  EXPECT_EQUAL(motion.angle(), 0);
  int last = 0, largestStep = 0;
  for (uint32_t now = 1000; now < 1450; now += 10) {
    motion.tick(now);
    largestStep = std::max(largestStep, motion.angle() - last);
    last = motion.angle();
  }
  EXPECT_EQUAL(largestStep, 2);
  EXPECT_EQUAL(last, 88);
  motion.tick(1450);
  EXPECT_EQUAL(motion.angle(), 90);
  motion.tick(1749);
  EXPECT(motion.isDriven());
  motion.tick(1750);
  EXPECT(!motion.isDriven());
  EXPECT_EQUAL(motion.angle(), 90);
}

TEST(aMotionReversesFromTheCurrentAngle) {
  BoltMotion motion;
  motion.setPosition(0);
  motion.moveTo(90);
  motion.tick(0);
  motion.tick(200);
  EXPECT_EQUAL(motion.angle(), 40);
  motion.moveTo(0);
  motion.tick(200);
  EXPECT_EQUAL(motion.angle(), 40);
  motion.tick(300);
  EXPECT_EQUAL(motion.angle(), 20);
  motion.tick(400);
  EXPECT_EQUAL(motion.angle(), 0);
  motion.tick(699);
  EXPECT(motion.isMoving());
  motion.tick(700);
  EXPECT(!motion.isMoving());
}

TEST(theSameTargetAgainDoesNotDelayAMotion) {
  BoltMotion motion;
  motion.setPosition(0);
  motion.moveTo(90);
  motion.tick(0);
  motion.tick(449);
  motion.moveTo(90);
  motion.tick(449);
  motion.tick(450);
  motion.tick(750);
  EXPECT(!motion.isMoving());
}

TEST(aLateTickGivesTheAngleForTheTime) {
  BoltMotion motion;
  motion.setPosition(90);
  motion.moveTo(0);
  motion.tick(UINT32_MAX - 99);
  motion.tick(100);
  EXPECT_EQUAL(motion.angle(), 50);
}

TEST(fromAnUnknownPositionTheServoMovesDirectlyToItsTarget) {
  for (int target : {0, 90}) {
    BoltMotion motion;
    motion.setPositionUnknown();
    motion.moveTo(target);
    motion.tick(0);
    EXPECT_EQUAL(motion.angle(), target);
    motion.tick(749);
    EXPECT(motion.isDriven());
    motion.tick(750);
    EXPECT(!motion.isDriven());
  }
}

// State

TEST(aNewLockIsLockedAndDoesNotMove) {
  Door door;
  door.bolt.begin(door.now);
  door.run(2000);
  EXPECT_EQUAL(door.console.take(), Lines{"locked"});
  EXPECT_EQUAL(door.bolt.payload(), '0');
  EXPECT(!door.bolt.motion().isDriven());
  EXPECT(!door.bolt.consumeReport());
}

TEST(unlockingReportsMovingAndThenUnlocked) {
  Door door;
  door.bolt.begin(door.now);
  door.console.take();
  door.command(LockCommand::unlock);
  EXPECT_EQUAL(door.console.take(), Lines{"moving"});
  EXPECT(door.bolt.consumeReport());
  EXPECT_EQUAL(std::string(door.bolt.stateText()), std::string("moving"));
  EXPECT_EQUAL(door.bolt.payload(), '0');
  door.run(749);
  EXPECT(!door.bolt.consumeReport());
  door.run(1);
  EXPECT_EQUAL(door.console.take(), Lines{"unlocked"});
  EXPECT(door.bolt.consumeReport());
  EXPECT(!door.bolt.consumeReport());
  EXPECT_EQUAL(door.bolt.payload(), '1');
  door.command(LockCommand::lock);
  door.run(750);
  EXPECT_EQUAL(door.console.take(), Lines{"moving", "locked"});
  EXPECT_EQUAL(door.bolt.payload(), '0');
}

TEST(theSameCommandAgainIsDrivenAndReportedAgain) {
  Door door;
  door.bolt.begin(door.now);
  door.console.take();
  door.command(LockCommand::lock);
  EXPECT(door.bolt.motion().isDriven());
  EXPECT_EQUAL(door.bolt.motion().angle(), 0);
  door.run(300);
  EXPECT_EQUAL(door.console.take(), Lines{"moving", "locked"});
  EXPECT(door.bolt.consumeReport());
}

TEST(invalidValuesChangeNothing) {
  Door door;
  door.bolt.begin(door.now);
  door.command(LockCommand::none);
  EXPECT(!door.bolt.motion().isDriven());
  EXPECT(!door.bolt.consumeReport());
}

TEST(aPowerLossKeepsTheStateWithoutMotion) {
  Door door;
  door.bolt.begin(door.now);
  door.command(LockCommand::unlock);
  door.run(1000);
  door.cutPower();
  EXPECT_EQUAL(door.console.take(), Lines{"unlocked"});
  EXPECT_EQUAL(door.bolt.payload(), '1');
  door.run(5000);
  EXPECT(!door.bolt.motion().isDriven());
  EXPECT_EQUAL(door.console.take(), Lines{});
}

TEST(aPowerLossDuringAMotionIsReportedAsUnlockedWithoutMotion) {
  for (LockCommand command : {LockCommand::lock, LockCommand::unlock}) {
    Door door;
    door.bolt.begin(door.now);
    door.command(LockCommand::unlock);
    door.run(command == LockCommand::unlock ? 300 : 1000);
    door.command(command);
    door.run(100);
    door.cutPower();
    EXPECT_EQUAL(door.console.take(), Lines{"Bolt stopped halfway - write 0 or 1", "unlocked"});
    EXPECT_EQUAL(door.bolt.payload(), '1');
    door.run(5000);
    EXPECT(!door.bolt.motion().isDriven());
    // Locking does not first swing the bolt open.
    door.command(LockCommand::lock);
    EXPECT_EQUAL(door.bolt.motion().angle(), 0);
    door.run(750);
    EXPECT_EQUAL(door.bolt.payload(), '0');
  }
}

TEST(aDamagedStateCountsAsUnlocked) {
  Door door;
  door.store.numbers["state"] = 77;
  door.bolt.begin(door.now);
  EXPECT_EQUAL(door.bolt.payload(), '1');
}

// Relocking

TEST(relockingIsOffUntilItIsSet) {
  Door door;
  door.bolt.begin(door.now);
  door.command(LockCommand::unlock);
  door.run(100000);
  EXPECT_EQUAL(door.bolt.payload(), '1');
}

TEST(theLockRelocksAfterTheConfiguredTime) {
  Door door;
  door.bolt.begin(door.now);
  EXPECT(door.bolt.setRelock(5, door.now));
  door.command(LockCommand::unlock);
  door.run(750);
  door.console.take();
  door.run(4999);
  EXPECT_EQUAL(door.console.take(), Lines{});
  door.run(1);
  EXPECT_EQUAL(door.console.take(), Lines{"Relocking", "moving"});
  door.run(750);
  EXPECT_EQUAL(door.console.take(), Lines{"locked"});
  door.run(20000);
  EXPECT_EQUAL(door.console.take(), Lines{});
}

TEST(unlockingAgainRestartsTheRelockTime) {
  Door door;
  door.bolt.begin(door.now);
  door.bolt.setRelock(5, door.now);
  door.command(LockCommand::unlock);
  door.run(4000);
  door.command(LockCommand::unlock);
  door.run(5299);
  EXPECT_EQUAL(door.bolt.payload(), '1');
  EXPECT(door.bolt.state() == BoltState::unlocked);
  door.run(1);
  EXPECT(door.bolt.state() == BoltState::moving);
}

TEST(theRelockTimeIsStoredAndRestartsAfterAPowerLoss) {
  Door door;
  door.bolt.begin(door.now);
  door.bolt.setRelock(5, door.now);
  door.command(LockCommand::unlock);
  door.run(3000);
  door.cutPower();
  door.console.take();
  door.run(4999);
  EXPECT_EQUAL(door.console.take(), Lines{});
  door.run(751);
  EXPECT_EQUAL(door.console.take(), Lines{"Relocking", "moving", "locked"});
}

TEST(relockingCanBeSwitchedOffWhileItRuns) {
  Door door;
  door.bolt.begin(door.now);
  door.bolt.setRelock(5, door.now);
  door.command(LockCommand::unlock);
  door.run(3000);
  EXPECT(door.bolt.setRelock(0, door.now));
  door.run(60000);
  EXPECT_EQUAL(door.bolt.payload(), '1');
}

TEST(aRelockTimeOfMoreThanADayIsRefused) {
  Door door;
  door.bolt.begin(door.now);
  EXPECT(door.bolt.setRelock(86400, door.now));
  EXPECT(!door.bolt.setRelock(86401, door.now));
  EXPECT_EQUAL(door.store.numbers["relock"], 86400u);
  door.store.numbers["relock"] = 5000000;
  door.cutPower();
  door.command(LockCommand::unlock);
  door.run(10000);
  EXPECT_EQUAL(door.bolt.payload(), '1');
}
