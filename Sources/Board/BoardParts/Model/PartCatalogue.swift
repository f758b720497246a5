/// The kinds of parts that the program knows without a file of the user.
public enum PartCatalogue {
    /// All of them, in alphabetical order.
    public static let builtIn: [PartKind] = [
        EEPROM24C32.kind,
        RegisterPartFile.builtIn("ads1115", PackageResources.ads1115_yaml),
        RegisterPartFile.builtIn("bh1750", PackageResources.bh1750_yaml),
        BME280.kind,
        RegisterPartFile.builtIn("ds3231", PackageResources.ds3231_yaml),
        RegisterPartFile.builtIn("ina219", PackageResources.ina219_yaml),
        RegisterPartFile.builtIn("mpu6050", PackageResources.mpu6050_yaml),
        RegisterPartFile.builtIn("sht31", PackageResources.sht31_yaml),
        SSD1306.kind,
    ]

    /// The kind of this name; `nil` if there is none.
    public static func kind(named name: String) -> PartKind? { builtIn.first { $0.name == name } }
}
