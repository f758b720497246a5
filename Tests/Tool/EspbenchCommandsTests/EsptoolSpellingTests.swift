import EspbenchCommands
import Testing

@Suite("esptool's spelling")
struct EsptoolSpellingTests {
    @Test(
        "becomes espbench's",
        arguments: [
            ("--port P flash_id", "flash-id --port P"), ("-p P -b 460800 chip_id", "chip-id --port P --baud 460800"),
            ("--chip auto --before no_reset read_flash 0 0x10 f", "read-flash --before no_reset 0 0x10 f"),
            ("--chip esp32 merge_bin -o f 0 a", "image merge-bin --chip esp32 -o f 0 a"),
            ("--chip esp32 image_info f", "image image-info f"),
            ("--baud=9600 --no-stub erase_flash", "erase-flash --baud=9600 --no-stub"),
            (
                "write_flash -z -fm dio -ff 80m -fs 4MB --flash_size=keep -e 0x0 a_b",
                "write-flash --flash-mode dio --flash-freq 80m --flash-size 4MB --flash-size=keep --erase-all 0x0 a_b --port auto"
            ),
            ("-p P write-flash @flash_args", "write-flash --port P --flash-mode dio 0x0 boot_loader.bin 0x8000 t.bin"),
            ("flash -p P -- --a_b", "flash --port P -- --a_b"),
        ])
    func translated(theirs: String, ours: String) {
        #expect(Self.translated(theirs) == ours.split(separator: " ").map(String.init))
    }

    @Test(
        "is not looked for elsewhere",
        arguments: [
            "", "--help", "--version", "-p", "test -q --sample 3 @x", "monitor --port P", "--port P monitor", "run a_b",
            "serve --pty_link x", "--unknown flash_id", "image info a_b",
        ])
    func untouched(words: String) {
        #expect(Self.translated(words) == words.split(separator: " ").map(String.init))
    }

    private static func translated(_ words: String) -> [String] {
        EsptoolSpelling.translated(words.split(separator: " ").map(String.init)) { path in
            path == "flash_args" ? "--flash_mode dio\n0x0 boot_loader.bin\n0x8000 t.bin\n" : ""
        }
    }
}
