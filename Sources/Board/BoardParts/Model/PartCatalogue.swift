/// The kinds of parts that come with espbench.
public enum PartCatalogue {
    /// The kinds, in the order of their names.
    public static let builtIn: [PartKind] = [
        EEPROM24C32.kind,
        RegisterPartFile.builtIn("ads1115", PackageResources.ads1115_yaml),
        RegisterPartFile.builtIn("bh1750", PackageResources.bh1750_yaml),
        BME280.kind,
        Button.kind,
        Buzzer.kind,
        DHTSensor.dht11,
        DHTSensor.dht22,
        AnalogSource.divider,
        DS18B20.kind,
        RegisterPartFile.builtIn("ds3231", PackageResources.ds3231_yaml),
        RotaryEncoder.kind,
        HCSR04.kind,
        RegisterPartFile.builtIn("ina219", PackageResources.ina219_yaml),
        Keypad.kind,
        CharacterDisplay.lcd1602,
        ParallelCharacterDisplay.lcd1602,
        CharacterDisplay.lcd2004,
        ParallelCharacterDisplay.lcd2004,
        LED.kind,
        RegisterPartFile.builtIn("mpu6050", PackageResources.mpu6050_yaml),
        AnalogSource.ntc,
        AnalogSource.photoresistor,
        AnalogSource.potentiometer,
        Relay.kind,
        RGBLED.kind,
        Servo.kind,
        RegisterPartFile.builtIn("sht31", PackageResources.sht31_yaml),
        SSD1306.kind,
        Button.switchKind,
        AnalogSource.voltage,
        WS2812.kind,
    ]

    /// The kind with this name, such as `dht22`; `nil`: there is none.
    public static func kind(named name: String) -> PartKind? { builtIn.first { $0.name == name } }
}
