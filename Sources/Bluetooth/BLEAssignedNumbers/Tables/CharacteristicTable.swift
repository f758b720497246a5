// Written by Scripts/assigned-numbers from bluetooth-numbers-database 5387e83bccbf; see Sources/Bluetooth/NOTICE.md.
extension AssignedNumbers {
    /// Characteristics by UUID.
    static let characteristicTable = #"""
        2A00 Device Name¦Appearance¦Peripheral Privacy Flag¦Reconnection Address
        2A04 Peripheral Preferred Connection Parameters¦Service Changed¦Alert Level¦Tx Power Level¦Date Time¦Day of Week
        2A0A Day Date Time¦Exact Time 100¦Exact Time 256¦DST Offset¦Time Zone¦Local Time Information¦Secondary Time Zone
        2A11 Time with DST¦Time Accuracy¦Time Source¦Reference Time Information¦Time Broadcast¦Time Update Control Point
        2A17 Time Update State¦Glucose Measurement¦Battery Level¦Battery Power State¦Battery Level State
        2A1C Temperature Measurement¦Temperature Type¦Intermediate Temperature¦Temperature Celsius
        2A20 Temperature Fahrenheit¦Measurement Interval¦Boot Keyboard Input Report¦System ID¦Model Number String
        2A25 Serial Number String¦Firmware Revision String¦Hardware Revision String¦Software Revision String
        2A29 Manufacturer Name String¦IEEE 11073-20601 Regulatory Certification Data List¦Current Time
        2A2C Magnetic Declination
        2A2F Position 2D¦Position 3D¦Scan Refresh¦Boot Keyboard Output Report¦Boot Mouse Input Report
        2A34 Glucose Measurement Context¦Blood Pressure Measurement¦Intermediate Cuff Pressure¦Heart Rate Measurement
        2A38 Body Sensor Location¦Heart Rate Control Point¦Removable¦Service Required¦Scientific Temperature Celsius
        2A3D String¦Network Availability¦Alert Status¦Ringer Control point¦Ringer Setting¦Alert Category ID Bit Mask
        2A43 Alert Category ID¦Alert Notification Control Point¦Unread Alert Status¦New Alert
        2A47 Supported New Alert Category¦Supported Unread Alert Category¦Blood Pressure Feature¦HID Information
        2A4B Report Map¦HID Control Point¦Report¦Protocol Mode¦Scan Interval Window¦PnP ID¦Glucose Feature
        2A52 Record Access Control Point¦RSC Measurement¦RSC Feature¦SC Control Point¦Digital¦Digital Output¦Analog
        2A59 Analog Output¦Aggregate¦CSC Measurement¦CSC Feature¦Sensor Location¦PLX Spot-Check Measurement
        2A5F PLX Continuous Measurement Characteristic¦PLX Features
        2A62 Pulse Oximetry Control Point¦Cycling Power Measurement¦Cycling Power Vector¦Cycling Power Feature
        2A66 Cycling Power Control Point¦Location and Speed Characteristic¦Navigation¦Position Quality¦LN Feature
        2A6B LN Control Point¦Elevation¦Pressure¦Temperature¦Humidity¦True Wind Speed¦True Wind Direction
        2A72 Apparent Wind Speed¦Apparent Wind Direction¦Gust Factor¦Pollen Concentration¦UV Index¦Irradiance¦Rainfall
        2A79 Wind Chill¦Heat Index¦Dew Point
        2A7D Descriptor Value Changed¦Aerobic Heart Rate Lower Limit¦Aerobic Threshold¦Age
        2A81 Anaerobic Heart Rate Lower Limit¦Anaerobic Heart Rate Upper Limit¦Anaerobic Threshold
        2A84 Aerobic Heart Rate Upper Limit¦Date of Birth¦Date of Threshold Assessment¦Email Address
        2A88 Fat Burn Heart Rate Lower Limit¦Fat Burn Heart Rate Upper Limit¦First Name¦Five Zone Heart Rate Limits
        2A8C Gender¦Heart Rate Max¦Height¦Hip Circumference¦Last Name¦Maximum Recommended Heart Rate¦Resting Heart Rate
        2A93 Sport Type for Aerobic and Anaerobic Thresholds¦Three Zone Heart Rate Limits¦Two Zone Heart Rate Limit
        2A96 VO2 Max¦Waist Circumference¦Weight¦Database Change Increment¦User Index¦Body Composition Feature
        2A9C Body Composition Measurement¦Weight Measurement¦Weight Scale Feature¦User Control Point
        2AA0 Magnetic Flux Density - 2D¦Magnetic Flux Density - 3D¦Language¦Barometric Pressure Trend
        2AA4 Bond Management Control Point¦Bond Management Features¦Central Address Resolution¦CGM Measurement
        2AA8 CGM Feature¦CGM Status¦CGM Session Start Time¦CGM Session Run Time¦CGM Specific Ops Control Point
        2AAD Indoor Positioning Configuration¦Latitude¦Longitude¦Local North Coordinate¦Local East Coordinate
        2AB2 Floor Number¦Altitude¦Uncertainty¦Location Name¦URI¦HTTP Headers¦HTTP Status Code¦HTTP Entity Body
        2ABA HTTP Control Point¦HTTPS Security¦TDS Control Point¦OTS Feature¦Object Name¦Object Type¦Object Size
        2AC1 Object First-Created¦Object Last-Modified¦Object ID¦Object Properties¦Object Action Control Point
        2AC6 Object List Control Point¦Object List Filter¦Object Changed¦Resolvable Private Address Only
        2ACC Fitness Machine Feature¦Treadmill Data¦Cross Trainer Data¦Step Climber Data¦Stair Climber Data¦Rower Data
        2AD2 Indoor Bike Data¦Training Status¦Supported Speed Range¦Supported Inclination Range
        2AD6 Supported Resistance Level Range¦Supported Heart Rate Range¦Supported Power Range
        2AD9 Fitness Machine Control Point¦Fitness Machine Status¦Mesh Provisioning Data In¦Mesh Provisioning Data Out
        2ADD Mesh Proxy Data In¦Mesh Proxy Data Out
        2AE0 Average Current¦Average Voltage¦Boolean¦Chromatic Distance From Planckian¦Chromaticity Coordinates
        2AE5 Chromaticity In CCT And Duv Values¦Chromaticity Tolerance¦CIE 13.3-1995 Color Rendering Index¦Coefficient
        2AE9 Correlated Color Temperature¦Count 16¦Count 24¦Country Code¦Date UTC¦Electric Current
        2AEF Electric Current Range¦Electric Current Specification¦Electric Current Statistics¦Energy
        2AF3 Energy In A Period Of Day¦Event Statistics¦Fixed String 16¦Fixed String 24¦Fixed String 36¦Fixed String 8
        2AF9 Generic Level¦Global Trade Item Number¦Illuminance¦Luminous Efficacy¦Luminous Energy¦Luminous Exposure
        2AFF Luminous Flux¦Luminous Flux Range¦Luminous Intensity¦B02 Mass Flow¦Perceived Lightness¦Percentage 8¦Power
        2B06 Power Specification¦Relative Runtime In A Current Range¦Relative Runtime In A Generic Level Range
        2B09 Relative Value In A Voltage Range¦Relative Value In An Illuminance Range¦Relative Value In A Period Of Day
        2B0C Relative Value In A Temperature Range¦Temperature 8¦Temperature 8 In A Period Of Day
        2B0F Temperature 8 Statistics¦Temperature Range¦Temperature Statistics¦Time Decihour 8¦Time Exponential 8
        2B14 Time Hour 24¦Time Millisecond 24¦Time Second 16¦Time Second 8¦Voltage¦Voltage Specification
        2B1A Voltage Statistics¦Volume Flow¦Chromaticity Coordinate¦RC Feature¦RC Settings
        2B1F Reconnection Configuration Control Point¦IDD Status Changed¦IDD Status¦IDD Annunciation Status¦IDD Features
        2B24 IDD Status Reader Control Point¦IDD Command Control Point¦IDD Command Data¦IDD Record Access Control Point
        2B28 IDD History Data¦Client Supported Features¦Database Hash¦BSS Control Point¦BSS Response¦Emergency ID
        2B2E Emergency Text
        2B34 Enhanced Blood Pressure Measurement¦Enhanced Intermediate Cuff Pressure¦Blood Pressure Record
        2B38 BR-EDR Handover Data¦Bluetooth SIG Data¦Server Supported Features¦Physical Activity Monitor Features
        2B3C General Activity Instantaneous Data¦General Activity Summary Data
        2B3E CardioRespiratory Activity Instantaneous Data¦CardioRespiratory Activity Summary Data
        2B40 Step Counter Activity Summary Data¦Sleep Activity Instantaneous Data¦Sleep Activity Summary Data
        2B43 Physical Activity Monitor Control Point¦Activity Current Session¦Physical Activity Session Descriptor
        2B46 Preferred Units¦High Resolution Height¦Middle Name¦Stride Length¦Handedness¦Device Wearing Position
        2B4C Four Zone Heart Rate Limits¦High Intensity Exercise Threshold¦Activity Goal¦Sedentary Interval Notification
        2B50 Caloric Intake¦TMAP Role
        2B77 Audio Input State¦Gain Settings Attribute¦Audio Input Type¦Audio Input Status¦Audio Input Control Point
        2B7C Audio Input Description¦Volume State¦Volume Control Point¦Volume Flags¦Volume Offset State¦Audio Location
        2B82 Volume Offset Control Point¦Audio Output Description¦Set Identity Resolving Key¦Coordinated Set Size
        2B86 Set Member Lock¦Set Member Rank
        2B8C Carbon Dioxide Concentration
        2B8E Device Time Feature¦Device Time Parameters¦Device Time¦Device Time Control Point¦Time Change Log Data
        2B93 Media Player Name¦Media Player Icon Object ID¦Media Player Icon URL¦Track Changed¦Track Title
        2B98 Track Duration¦Track Position¦Playback Speed¦Seeking Speed¦Current Track Segments Object ID
        2B9D Current Track Object ID¦Next Track Object ID¦Parent Group Object ID¦Current Group Object ID¦Playing Order
        2BA2 Playing Orders Supported¦Media State¦Media Control Point¦Media Control Point Opcodes Supported
        2BA6 Search Results Object ID¦Search Control Point
        2BA9 Media Player Icon Object Type¦Track Segments Object Type¦Track Object Type¦Group Object Type
        2BAD Constant Tone Extension Enable¦Advertising Constant Tone Extension Minimum Length
        2BAF Advertising Constant Tone Extension Minimum Transmit Count
        2BB0 Advertising Constant Tone Extension Transmit Duration¦Advertising Constant Tone Extension Interval
        2BB2 Advertising Constant Tone Extension PHY¦Bearer Provider Name¦Bearer UCI¦Bearer Technology
        2BB6 Bearer URI Schemes Supported List¦Bearer Signal Strength¦Bearer Signal Strength Reporting Interval
        2BB9 Bearer List Current Calls¦Content Control ID¦Status Flags¦Incoming Call Target Bearer URI¦Call State
        2BBE Call Control Point¦Call Control Point Optional Opcodes¦Termination Reason¦Incoming Call¦Call Friendly Name
        2BC3 Mute¦Sink ASE¦Source ASE¦ASE Control Point¦Broadcast Audio Scan Control Point¦Broadcast Receive State
        2BC9 Sink PAC¦Sink Audio Locations¦Source PAC¦Source Audio Locations¦Available Audio Contexts
        2BCE Supported Audio Contexts¦Ammonia Concentration¦Carbon Monoxide Concentration¦Methane Concentration
        2BD2 Nitrogen Dioxide Concentration¦Non-Methane Volatile Organic Compounds Concentration¦Ozone Concentration
        2BD5 Particulate Matter - PM1 Concentration¦Particulate Matter - PM2.5 Concentration
        2BD7 Particulate Matter - PM10 Concentration¦Sulfur Dioxide Concentration¦Sulfur Hexafluoride Concentration
        2BDA Hearing Aid Features¦Hearing Aid Preset Control Point¦Active Preset Index¦Stored Health Observations
        2BDE Fixed String 64¦High Temperature¦High Voltage¦Light Distribution¦Light Output¦Light Source Type¦Noise
        2BE5 Relative Runtime in a Correlated Color Temperature Range¦Time Second 32¦VOC Concentration¦Voltage Frequency
        2BE9 Battery Critical Status¦Battery Health Status¦Battery Health Information¦Battery Information
        2BED Battery Level Status¦Battery Time Status¦Estimated Service Date¦Battery Energy Status
        2BF1 Observation Schedule Changed¦Current Elapsed Time¦Health Sensor Features¦GHS Control Point
        2BF5 LE GATT Security Levels¦ESL Address¦AP Sync Key Material¦ESL Response Key Material
        2BF9 ESL Current Absolute Time¦ESL Display Information¦ESL Image Information¦ESL Sensor Information
        2BFD ESL LED Information¦ESL Control Point¦UDI for Medical Devices¦GMAP Role¦UGG Features¦UGT Features
        2C03 BGS Features¦BGR Features¦Percentage 8 Steps
        2C1A Coordinated Set Name
        00001524-1212-EFDE-1523-785FEABCD123 Blinky Button State
        00001525-1212-EFDE-1523-785FEABCD123 Blinky LED State
        00001531-1212-EFDE-1523-785FEABCD123 Legacy DFU Control Point
        00001532-1212-EFDE-1523-785FEABCD123 Legacy DFU Packet
        00001534-1212-EFDE-1523-785FEABCD123 Legacy DFU Version
        00001624-1212-EFDE-1623-785FEABCD123 LEGO® Wireless Protocol v3 Hub Characteristic
        00001626-1212-EFDE-1623-785FEABCD123 LEGO® Wireless Protocol v3 Bootloader Characteristic
        0A852C59-50D3-4492-BFD3-22FE58A24F01 Helium Hotspot Public Key
        14387801-130C-49E7-B877-2881C89CB258 Wi-Fi Provisioning Service Version
        14387802-130C-49E7-B877-2881C89CB258 Wi-Fi Provisioning Control Point
        14387803-130C-49E7-B877-2881C89CB258 Wi-Fi Provisioning Data Out
        180EFDEF-7579-4B4A-B2DF-72733B7FA2FE Helium Hotspot Lights
        21490001-494A-4573-98AF-F126AF76F490 Distance Measurement Characteristic
        21490002-494A-4573-98AF-F126AF76F490 Azimuth Measurement Characteristic
        21490003-494A-4573-98AF-F126AF76F490 Elevation Measurement Characteristic
        21490004-494A-4573-98AF-F126AF76F490 DDF Feature
        21490005-494A-4573-98AF-F126AF76F490 Control Point
        22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB Apple Data Source
        2F7CABCE-808D-411F-9A0C-BB92BA96C102 Apple Entity Update
        398168AA-0111-4EC0-B1FA-171671270608 Helium Hotspot WiFi Connect
        506A55C4-B5E7-46FA-8326-8ACAEB1189EB Sensor Hub Temperature
        51838AFF-2D9A-B32A-B32A-8187E41664BA Sensor Hub Pressure
        54220001-F6A5-4007-A371-722F4EBD8436 MDS Supported Features Characteristic
        54220002-F6A5-4007-A371-722F4EBD8436 MDS Device Identifier Characteristic
        54220003-F6A5-4007-A371-722F4EBD8436 MDS Device Data URI Characteristic
        54220004-F6A5-4007-A371-722F4EBD8436 MDS Device Authorization Characteristic
        54220005-F6A5-4007-A371-722F4EBD8436 MDS Device Data Export Characteristic
        57A70001-9350-11ED-A1EB-0242AC120002 Status Characteristic
        69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9 Apple Control Point
        6E400002-B5A3-F393-E0A9-E50E24DCCA9E UART RX Characteristic
        6E400003-B5A3-F393-E0A9-E50E24DCCA9E UART TX Characteristic
        753E3050-DF06-4B53-B090-5E1D810C4383 Sensor Hub Humidity
        7731DE63-BC6A-4100-8AB1-89B2356B038B Helium Hotspot WiFi SSID
        7DFC6001-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6002-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6003-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6004-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6005-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6101-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6102-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6103-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6104-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6105-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6106-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6107-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6108-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6201-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6202-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC6203-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7004-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7005-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7006-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7007-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7008-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7009-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC700A-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC700B-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC700C-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7103-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7104-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7105-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7106-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7107-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7108-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC7109-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC710B-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC710C-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC710D-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC8003-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC8004-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        7DFC9001-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Characteristic
        82754BBB-6ED3-4D69-A0E1-F19F6B654EC2 Sensor Hub Red Color
        8CC6E0B3-98C5-40CC-B1D8-692940E6994B Helium Hotspot WiFi Remove
        8E400001-F315-4F60-9FB8-838830DAEA50 Experimental Buttonless DFU
        8EC90001-F315-4F60-9FB8-838830DAEA50 DFU Control Point
        8EC90002-F315-4F60-9FB8-838830DAEA50 DFU Packet
        8EC90003-F315-4F60-9FB8-838830DAEA50 Buttonless DFU Without Bonds
        8EC90004-F315-4F60-9FB8-838830DAEA50 Buttonless DFU With Bonds
        932C32BD-0002-47A2-835A-A8D455B859DD Philips Hue Light On/Off Toggle
        932C32BD-0003-47A2-835A-A8D455B859DD Philips Hue Light Brightness Level
        932C32BD-0005-47A2-835A-A8D455B859DD Philips Hue Light Color
        9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2 Apple Remote Command
        9C4314F2-8A0C-45FD-A58D-D4A7E64C3A57 Helium Hotspot WiFi MAC Address
        9FBF120D-6301-42D9-8C58-25E699A21DBD Apple Notification Source
        A3C87501-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Capabilities
        A3C87502-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Active Slot
        A3C87503-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Advertising Interval
        A3C87504-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Radio Tx Power
        A3C87505-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone (Advanced) Advertised Tx Power
        A3C87506-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Lock State
        A3C87507-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Unlock
        A3C87508-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Public ECDH Key
        A3C87509-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone EID Identity Key
        A3C8750A-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone ADV Slot Data
        A3C8750B-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Advanced Factory Reset
        A3C8750C-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone (Advanced) Remain Connectable
        AD79CBCE-65DF-4BC6-BDD4-8CE2B6B75C59 Sensor Hub IAQ
        ADAF0001-C332-42A8-93BD-25E905756CB8 Adafruit Sensor Measurement Period
        ADAF0002-C332-42A8-93BD-25E905756CB8 Adafruit Sensor Service Version
        ADAF0100-4669-6C65-5472-616E73666572 Adafruit Version
        ADAF0101-C332-42A8-93BD-25E905756CB8 Adafruit Temperature
        ADAF0200-4669-6C65-5472-616E73666572 Adafruit Raw TX/RX
        ADAF0201-C332-42A8-93BD-25E905756CB8 Adafruit Acceleration
        ADAF0301-C332-42A8-93BD-25E905756CB8 Adafruit Light Level
        ADAF0401-C332-42A8-93BD-25E905756CB8 Adafruit Gyro
        ADAF0501-C332-42A8-93BD-25E905756CB8 Adafruit Magnetic
        ADAF0601-C332-42A8-93BD-25E905756CB8 Adafruit Pressed
        ADAF0701-C332-42A8-93BD-25E905756CB8 Adafruit Humidity
        ADAF0801-C332-42A8-93BD-25E905756CB8 Adafruit Pressure
        ADAF0901-C332-42A8-93BD-25E905756CB8 Adafruit Pixel Pin
        ADAF0902-C332-42A8-93BD-25E905756CB8 Adafruit Pixel Pin Type
        ADAF0903-C332-42A8-93BD-25E905756CB8 Adafruit Pixel Data
        ADAF0904-C332-42A8-93BD-25E905756CB8 Adafruit Pixel Buffer Size
        ADAF0A01-C332-42A8-93BD-25E905756CB8 Adafruit Color
        ADAF0B01-C332-42A8-93BD-25E905756CB8 Adafruit Sound Samples
        ADAF0B02-C332-42A8-93BD-25E905756CB8 Adafruit Number of Channels
        ADAF0C01-C332-42A8-93BD-25E905756CB8 Adafruit Tone
        ADAF0D01-C332-42A8-93BD-25E905756CB8 Adafruit Quaternions
        ADAF0D02-C332-42A8-93BD-25E905756CB8 Adafruit Calibration In
        ADAF0D03-C332-42A8-93BD-25E905756CB8 Adafruit Calibration Out
        ADAF0E01-C332-42A8-93BD-25E905756CB8 Adafruit Proximity
        B833D34F-D871-422C-BF9E-8E6EC117D57E Helium Hotspot Diagnostics
        C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7 Apple Entity Attribute
        D083B2BD-BE16-4600-B397-61512CA2F5AD Helium Hotspot Onboarding Key
        D435F5DE-01A4-4E7D-84BA-DFD347F60275 Helium Hotspot Assert Location
        D7515033-7E7B-45BE-803F-C8737B171A29 Helium Hotspot WiFi Services
        DA2E7828-FBCE-4E01-AE9E-261174997C48 SMP Characteristic
        DB7F9F36-92CE-4509-A2EF-AF72BA38FB48 Sensor Hub Green Color
        DF3B16CA-C985-4DA2-A6D2-9B9B9ABDB858 Helium Hotspot Add Gateway
        E125BDA4-6FB8-11EA-BC55-0242AC130003 Helium Hotspot WiFi Configured Services
        E2A00002-EC31-4EC3-A97A-1C34D87E9878 Edge Impulse Remote Management RX Characteristic
        E2A00003-EC31-4EC3-A97A-1C34D87E9878 Edge Impulse Remote Management TX Characteristic
        E5866BD6-0288-4476-98CA-EF7DA6B4D289 Helium Hotspot Ethernet Online
        E95D0D2D-251D-470A-A062-FA1922DFA9A8 micro:bit Scrolling Delay
        E95D1B25-251D-470A-A062-FA1922DFA9A8 micro:bit Temperature Period
        E95D23C4-251D-470A-A062-FA1922DFA9A8 micro:bit Client Requirements
        E95D386C-251D-470A-A062-FA1922DFA9A8 micro:bit Magnetometer Period
        E95D5404-251D-470A-A062-FA1922DFA9A8 micro:bit Client Event
        E95D5899-251D-470A-A062-FA1922DFA9A8 micro:bit Pin AD Configuration
        E95D7B77-251D-470A-A062-FA1922DFA9A8 micro:bit LED Matrix State
        E95D8D00-251D-470A-A062-FA1922DFA9A8 micro:bit Pin Data
        E95D9250-251D-470A-A062-FA1922DFA9A8 micro:bit Temperature
        E95D93B1-251D-470A-A062-FA1922DFA9A8 micro:bit DFU Control
        E95D93EE-251D-470A-A062-FA1922DFA9A8 micro:bit LED Text
        E95D9715-251D-470A-A062-FA1922DFA9A8 micro:bit Magnetometer Bearing
        E95D9775-251D-470A-A062-FA1922DFA9A8 micro:bit Event
        E95DB84C-251D-470A-A062-FA1922DFA9A8 micro:bit Requirements
        E95DB9FE-251D-470A-A062-FA1922DFA9A8 micro:bit Pin I/O Configuration
        E95DCA4B-251D-470A-A062-FA1922DFA9A8 micro:bit Accelerometer Data
        E95DD822-251D-470A-A062-FA1922DFA9A8 micro:bit PWM Control
        E95DDA90-251D-470A-A062-FA1922DFA9A8 micro:bit Button A State
        E95DDA91-251D-470A-A062-FA1922DFA9A8 micro:bit Button B State
        E95DFB11-251D-470A-A062-FA1922DFA9A8 micro:bit Magnetometer Data
        E95DFB24-251D-470A-A062-FA1922DFA9A8 micro:bit Accelerometer Period
        EF680101-9B35-4933-9B10-52FFA9740042 Thingy Device Name
        EF680102-9B35-4933-9B10-52FFA9740042 Thingy Advertising Parameters
        EF680104-9B35-4933-9B10-52FFA9740042 Thingy Connection Parameters
        EF680105-9B35-4933-9B10-52FFA9740042 Thingy Eddystone URL
        EF680106-9B35-4933-9B10-52FFA9740042 Thingy Cloud Token
        EF680107-9B35-4933-9B10-52FFA9740042 Thingy FW Version
        EF680108-9B35-4933-9B10-52FFA9740042 Thingy MTU Request
        EF680201-9B35-4933-9B10-52FFA9740042 Thingy Temperature
        EF680202-9B35-4933-9B10-52FFA9740042 Thingy Pressure
        EF680203-9B35-4933-9B10-52FFA9740042 Thingy Humidity
        EF680204-9B35-4933-9B10-52FFA9740042 Thingy Air Quality
        EF680205-9B35-4933-9B10-52FFA9740042 Thingy Color
        EF680206-9B35-4933-9B10-52FFA9740042 Thingy Configuration
        EF680301-9B35-4933-9B10-52FFA9740042 Thingy LED State
        EF680302-9B35-4933-9B10-52FFA9740042 Thingy Button State
        EF680303-9B35-4933-9B10-52FFA9740042 Thingy EXT Pin
        EF680401-9B35-4933-9B10-52FFA9740042 Thingy Motion Config
        EF680402-9B35-4933-9B10-52FFA9740042 Thingy Tap
        EF680403-9B35-4933-9B10-52FFA9740042 Thingy Orientation
        EF680404-9B35-4933-9B10-52FFA9740042 Thingy Quaternion
        EF680405-9B35-4933-9B10-52FFA9740042 Thingy Pedometer
        EF680406-9B35-4933-9B10-52FFA9740042 Thingy Raw Data
        EF680407-9B35-4933-9B10-52FFA9740042 Thingy Euler
        EF680408-9B35-4933-9B10-52FFA9740042 Thingy Rotation Matrix
        EF680409-9B35-4933-9B10-52FFA9740042 Thingy Heading
        EF68040A-9B35-4933-9B10-52FFA9740042 Thingy Gravity Vector
        EF680501-9B35-4933-9B10-52FFA9740042 Thingy Sound Config
        EF680502-9B35-4933-9B10-52FFA9740042 Thingy Speaker Data
        EF680503-9B35-4933-9B10-52FFA9740042 Thingy Speaker Status
        EF680504-9B35-4933-9B10-52FFA9740042 Thingy Microphone
        F000FFC1-0451-4000-B000-000000000000 Texas Instruments Image Identify
        F000FFC2-0451-4000-B000-000000000000 Texas Instruments Image Block
        F000FFC5-0451-4000-B000-000000000000 Texas Instruments OAD Control
        F5D2EAB5-41E8-4F7C-AEF7-C9FFF4C544C0 Sensor Hub Blue Color
        FA3CF070-D0C7-4668-96C4-86125C8AC5DF Sensor Hub Battery
        FE2C1233-8366-4814-8EB0-01DE32100BEA Fast Pair Model ID
        FE2C1234-8366-4814-8EB0-01DE32100BEA Fast Pair Key-based Pairing
        FE2C1235-8366-4814-8EB0-01DE32100BEA Fast Pair Passkey
        FE2C1236-8366-4814-8EB0-01DE32100BEA Fast Pair Account Key
        FE2C1237-8366-4814-8EB0-01DE32100BEA Fast Pair Data
        """#
}
