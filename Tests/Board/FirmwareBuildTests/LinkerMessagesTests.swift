import FirmwareBuild
import Testing

@Suite struct LinkerMessagesTests {
    @Test func namesThatAreNotDefinedOrDefinedTwiceAreToldOnceWithTheirLine() {
        let output = """
            /usr/bin/ld: /cache/a/object.o: in function `setup()':
            /s/Lamp/Lamp.ino:2: undefined reference to `blink(int)'
            /usr/bin/ld: /s/Lamp/Lamp.ino:3: undefined reference to `blink(int)'
            /usr/bin/ld: /cache/a/object.o: in function `Led::Led()':
            /s/Lamp/Led.cpp:7: undefined reference to `vtable for Led'
            /usr/bin/ld: /cache/b/object.o: in function `twice()':
            /s/Lamp/Tab.cpp:1: multiple definition of `twice()'; /cache/a/object.o:/s/Lamp/Lamp.ino:5: first defined here
            collect2: error: ld returned 1 exit status

            """
        #expect(
            LinkerMessages(output).text == """
                /s/Lamp/Lamp.ino:2: error: blink(int) is declared and used but not defined
                /s/Lamp/Led.cpp:7: error: class Led declares a virtual function that is not defined
                /s/Lamp/Tab.cpp:1: error: twice() is defined twice; first at /s/Lamp/Lamp.ino:5

                """)
    }

    @Test func otherOutputIsPassedOn() {
        #expect(LinkerMessages("ld: out of memory\n").text == "ld: out of memory\n")
    }

    @Test func theLinkersErrorsNameTheSketchsLine() async throws {
        let project = try TrialProject()
        try project.write("int missing();\nvoid setup() {\n  missing();\n}\nvoid loop() {}\n", "Lamp/Lamp.ino")
        let error = try #require(try await project.failure())
        #expect(error.detail == "Lamp does not link: 1 error")
        #expect(
            error.compilerOutput.hasPrefix("Lamp/Lamp.ino:3: error: missing() is declared and used but not defined\n"))

        try project.write("int missing() { return 1; }\n", "Lamp/part.c")
        #expect(try await project.failure()?.compilerOutput.contains("Lamp/part.c is C: declare") == true)
    }
}
