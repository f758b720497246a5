/// The kinds of parts that need no description.
public enum PartCatalogue {
    /// All of them, in the order of their names.
    public static let builtIn: [PartKind] = [
        Button.kind,
        Buzzer.kind,
        DHTSensor.dht11,
        DHTSensor.dht22,
        AnalogSource.divider,
        DS18B20.kind,
        RotaryEncoder.kind,
        HCSR04.kind,
        Keypad.kind,
        LED.kind,
        AnalogSource.ntc,
        AnalogSource.photoresistor,
        AnalogSource.potentiometer,
        Relay.kind,
        RGBLED.kind,
        Servo.kind,
        Button.switchKind,
        AnalogSource.voltage,
        WS2812.kind,
    ]

    /// The kind with this name, such as `dht22`.
    public static func kind(named name: String) -> PartKind? { builtIn.first { $0.name == name } }
}
