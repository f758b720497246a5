// Prints the four voltages in mV and the difference of the first two; digits
// select the gain.
#include <Adafruit_ADS1X15.h>

static Adafruit_ADS1115 ads;

static const adsGain_t kGains[] = {GAIN_TWOTHIRDS, GAIN_ONE,   GAIN_TWO,
                                   GAIN_FOUR,      GAIN_EIGHT, GAIN_SIXTEEN};

void setup() {
  Serial.begin(115200);
  if (!ads.begin(0x48)) Serial.println("no ADS1115");
}

void loop() {
  int gain = Serial.read() - '0';
  if (gain >= 0 && gain < 6) ads.setGain(kGains[gain]);
  Serial.print("mV");
  for (int input = 0; input < 4; input++)
    Serial.printf(" %.0f", 1000 * ads.computeVolts(ads.readADC_SingleEnded(input)));
  Serial.printf(" difference %.1f\n", 1000 * ads.computeVolts(ads.readADC_Differential_0_1()));
  delay(50);
}
