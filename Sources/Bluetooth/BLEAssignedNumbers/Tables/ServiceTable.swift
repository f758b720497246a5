// Written by Scripts/assigned-numbers from bluetooth-numbers-database 5387e83bccbf; see Sources/Bluetooth/NOTICE.md.
extension AssignedNumbers {
    /// Services by UUID.
    static let serviceTable = #"""
        1800 Generic Access¦Generic Attribute¦Immediate Alert¦Link Loss¦Tx Power¦Current Time¦Reference Time Update
        1807 Next DST Change¦Glucose¦Health Thermometer¦Device Information
        180D Heart Rate¦Phone Alert Status¦Battery¦Blood Pressure¦Alert Notification¦Human Interface Device
        1813 Scan Parameters¦Running Speed and Cadence¦Automation IO¦Cycling Speed and Cadence
        1818 Cycling Power¦Location and Navigation¦Environmental Sensing¦Body Composition¦User Data¦Weight Scale
        181E Bond Management¦Continuous Glucose Monitoring¦Internet Protocol Support¦Indoor Positioning¦Pulse Oximeter
        1823 HTTP Proxy¦Transport Discovery¦Object Transfer¦Fitness Machine¦Mesh Provisioning¦Mesh Proxy
        1829 Reconnection Configuration
        183A Insulin Delivery¦Binary Sensor¦Emergency Configuration¦Authorization Control¦Physical Activity Monitor
        183F Elapsed Time¦Generic Health Sensor
        1843 Audio Input Control¦Volume Control¦Volume Offset Control¦Coordinated Set Identification¦Device Time
        1848 Media Control¦Generic Media Control¦Constant Tone Extension¦Telephone Bearer¦Generic Telephone Bearer
        184D Microphone Control¦Audio Stream Control¦Broadcast Audio Scan¦Published Audio Capabilities
        1851 Basic Audio Announcement¦Broadcast Audio Announcement¦Common Audio¦Hearing Access¦Telephony and Media Audio
        1856 Public Broadcast Announcement¦Electronic Shelf Label¦Gaming Audio¦Mesh Proxy Solicitation
        FD0D Blecon Advertising Service
        FD6F Exposure Notification Service
        FDF0 Audio Streaming for Hearing Aid
        FE0F Signify Netherlands B.V. (formerly Philips Lighting) Service
        FE2C Fast Pair Service
        FE59 Secure DFU Service
        FEAA Eddystone
        FEBB File Transfer Service by Adafruit
        00001523-1212-EFDE-1523-785FEABCD123 Nordic LED and Button Service
        00001530-1212-EFDE-1523-785FEABCD123 Legacy DFU Service
        00001623-1212-EFDE-1623-785FEABCD123 LEGO® Wireless Protocol v3 Hub Service
        00001625-1212-EFDE-1623-785FEABCD123 LEGO® Wireless Protocol v3 Bootloader Service
        0483DADD-6C9D-6CA9-5D41-03AD4FFF4ABB Nordic Throughput Service
        0FDA92B2-44A2-4AF2-84F5-FA682BAA2B8D Helium Hotspot Custom Service
        14387800-130C-49E7-B877-2881C89CB258 Nordic Wi-Fi Provisioning Service
        21490000-494A-4573-98AF-F126AF76F490 Nordic Direction and Distance Finding Service
        54220000-F6A5-4007-A371-722F4EBD8436 Memfault Diagnostic Service
        57A70000-9350-11ED-A1EB-0242AC120002 Nordic Status Message Service
        6E400001-B5A3-F393-E0A9-E50E24DCCA9E Nordic UART Service
        7905F431-B5CE-4E99-A40F-4B1E122D00D0 Apple Notification Center Service
        7DFC6000-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Service
        7DFC7000-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Service
        7DFC8000-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Service
        7DFC9000-7D1C-4951-86AA-8D9728F8D66C Apple Reserved Service
        89D3502B-0F36-433A-8EF4-C502AD55F8DC Apple Media Service
        8D53DC1D-1DB7-4CD3-868B-8A527460AA84 SMP Service
        8E400001-F315-4F60-9FB8-838830DAEA50 Experimental Buttonless DFU Service
        932C32BD-0000-47A2-835A-A8D455B859DD Philips Hue Light Control Service
        A3C87500-8ED3-4BDF-8A39-A01BEBEDE295 Eddystone Configuration Service
        A5B46352-9D13-479F-9FCB-3DCDF0A13F4D Thingy Sensor Hub
        ADAF0100-C332-42A8-93BD-25E905756CB8 Adafruit Temperature Service
        ADAF0200-C332-42A8-93BD-25E905756CB8 Adafruit Accelerometer Service
        ADAF0300-C332-42A8-93BD-25E905756CB8 Adafruit Light Service
        ADAF0400-C332-42A8-93BD-25E905756CB8 Adafruit Gyroscope Service
        ADAF0500-C332-42A8-93BD-25E905756CB8 Adafruit Magnetometer Service
        ADAF0600-C332-42A8-93BD-25E905756CB8 Adafruit Button Service
        ADAF0700-C332-42A8-93BD-25E905756CB8 Adafruit Humidity Service
        ADAF0800-C332-42A8-93BD-25E905756CB8 Adafruit Barometric Service
        ADAF0900-C332-42A8-93BD-25E905756CB8 Adafruit Addressable Service
        ADAF0A00-C332-42A8-93BD-25E905756CB8 Adafruit Color Service
        ADAF0B00-C332-42A8-93BD-25E905756CB8 Adafruit Sound Service
        ADAF0C00-C332-42A8-93BD-25E905756CB8 Adafruit Tone Service
        ADAF0D00-C332-42A8-93BD-25E905756CB8 Adafruit Quaternion Service
        ADAF0E00-C332-42A8-93BD-25E905756CB8 Adafruit Proximity Service
        B8843ADD-0000-4AA1-8794-C3F462030BDA Philips Hue Light Update Service
        E2A00001-EC31-4EC3-A97A-1C34D87E9878 Edge Impulse Remote Management Service
        E95D0753-251D-470A-A062-FA1922DFA9A8 micro:bit Accelerometer Service
        E95D127B-251D-470A-A062-FA1922DFA9A8 micro:bit IO Pin Service
        E95D6100-251D-470A-A062-FA1922DFA9A8 micro:bit Temperature Service
        E95D93AF-251D-470A-A062-FA1922DFA9A8 micro:bit Event Service
        E95D93B0-251D-470A-A062-FA1922DFA9A8 micro:bit DFU Control Service
        E95D9882-251D-470A-A062-FA1922DFA9A8 micro:bit Button Service
        E95DD91D-251D-470A-A062-FA1922DFA9A8 micro:bit LED Service
        E95DF2D8-251D-470A-A062-FA1922DFA9A8 micro:bit Magnetometer Service
        EF680100-9B35-4933-9B10-52FFA9740042 Thingy Configuration Service
        EF680200-9B35-4933-9B10-52FFA9740042 Thingy Weather Station Service
        EF680300-9B35-4933-9B10-52FFA9740042 Thingy UI Service
        EF680400-9B35-4933-9B10-52FFA9740042 Thingy Motion Service
        EF680500-9B35-4933-9B10-52FFA9740042 Thingy Sound Service
        F000FFC0-0451-4000-B000-000000000000 Texas Instruments Over-the-Air Download (OAD) Service
        """#
}
