// The C library's time, of C, C++ and the C++ library.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

long long microseconds() {
  struct timeval now;
  gettimeofday(&now, nullptr);
  return now.tv_sec * 1000000LL + now.tv_usec;
}

/// Milliseconds of micros() that a wait takes.
template <typename Wait>
unsigned took(Wait wait) {
  unsigned long before = micros();
  wait();
  return (micros() - before + 500) / 1000;
}

void printClocks() {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  struct timespec real, monotonic;
  clock_gettime(CLOCK_REALTIME, &real);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  auto system = std::chrono::system_clock::now().time_since_epoch();
  auto steady = std::chrono::steady_clock::now().time_since_epoch();
  Serial.printf("seconds %lld %lld %lld %lld %lld %lld\r\n", (long long)time(nullptr),
                microseconds() / 1000000, (long long)real.tv_sec, (long long)monotonic.tv_sec,
                (long long)duration_cast<seconds>(system).count(),
                (long long)duration_cast<seconds>(steady).count());
}

void setup() {
  Serial.begin(115200);
  Serial.printf("microseconds %lld\r\n", microseconds());
  unsigned usleepTook = took([] { usleep(2500); });
  unsigned sleepTook = took([] { sleep(1); });
  unsigned threadTook = took([] { std::this_thread::sleep_for(std::chrono::milliseconds(250)); });
  Serial.printf("sleeps %u %u %u, clock %u\r\n", usleepTook, sleepTook, threadTook,
                static_cast<unsigned>(clock() / (CLOCKS_PER_SEC / 1000)));
  struct timespec time;
  int result = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  Serial.printf("refused %d %d\r\n", result, errno == EINVAL);
  time_t day = 86400;
  char text[32];
  strftime(text, sizeof text, "%F %T", localtime(&day));
  Serial.printf("day %s\r\n", text);
  std::random_device device;
  Serial.printf("random %08x %08x\r\n", device(), device());
  printClocks();
}

void loop() {
  String line = Serial.readStringUntil('\n');
  if (line == "clocks") printClocks();
  if (line == "set") {
    struct timeval wanted = {1700000000, 250000};
    settimeofday(&wanted, nullptr);
    printClocks();
  }
  if (line == "sleep") esp_deep_sleep(20000000);
  if (line == "crash") abort();
}
