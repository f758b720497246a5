import FirmwareBuild
import Testing

@Suite struct CompilerMessagesTests {
    /// The messages of g++ 12 for a sketch, with shortened paths.
    private static let output = """
        In file included from Flags.ino:3:
        /Refused/WiFi.h:1:2: error: #error "WiFi.h is not in espbench's host core: there is no network"
            1 | #error "WiFi.h is not in espbench's host core: there is no network"
              |  ^~~~~
        Flags.ino: In function ‘void unused()’:
        Flags.ino:5:7: warning: unused variable ‘y’ [-Wunused-variable]
            5 |   int y;
              |       ^
        Flags.ino: In function ‘void scan()’:
        Flags.ino:9:3: error: ‘NimBLEScan’ is unavailable: NimBLEScan is not in espbench's host core yet
            9 |   NimBLEScan* scan = nullptr;
              |   ^~~~~~~~~~
        /include/NimBLEDevice.h:52:38: note: declared here
           52 | class ESPBENCH_NOT_YET("NimBLEScan") NimBLEScan;
              |                                      ^~~~~~~~~~
        Flags.ino:10:3: error: ‘NimBLEScan’ is unavailable: NimBLEScan is not in espbench's host core yet
           10 |   NimBLEScan* other = nullptr;
              |   ^~~~~~~~~~
        Flags.ino:11:3: error: ‘WiFi’ was not declared in this scope
           11 |   WiFi.begin();
              |   ^~~~

        """

    @Test func refusalsComeFirstAndOnceWithoutConsequentErrorsOrWarnings() {
        #expect(
            CompilerMessages([Self.output, Self.output]).text == """
                In file included from Flags.ino:3:
                /Refused/WiFi.h:1:2: error: #error "WiFi.h is not in espbench's host core: there is no network"
                Flags.ino: In function ‘void scan()’:
                Flags.ino:9:3: error: ‘NimBLEScan’ is unavailable: NimBLEScan is not in espbench's host core yet
                    9 |   NimBLEScan* scan = nullptr;
                      |   ^~~~~~~~~~
                1 more error because of that

                """)
    }

    @Test func whereATemplateIsInstantiatedIsShownAboveItsError() {
        let output = """
            Lamp.ino: In instantiation of ‘T add(T) [with T = int]’:
            Lamp.ino:3:18:   required from here
            Lamp.ino:2:23: error: request for member ‘foo’ in ‘x’, which is of non-class type ‘int’
                2 | T add(T x) { return x.foo(); }
                  |                     ~~^~~

            """
        #expect(CompilerMessages([output]).text == output)
    }

    @Test func errorsThatDoNotComeOfARefusalAreShown() {
        let other = Self.output + "Flags.ino:12:3: error: ‘nope’ was not declared in this scope\n"
        let text = CompilerMessages([other]).text
        #expect(text.contains("‘nope’ was not declared") && !text.contains("‘WiFi’ was"), "\(text)")
        #expect(text.hasSuffix("1 more error because of that\n"))
    }

    @Test func errorsOfTheSketchComeFirstAndWarningsOnlyWithoutErrors() {
        let warning = "a.cpp: In function ‘int f()’:\na.cpp:1:2: warning: no return\n    1 | int f() {}\n"
        let error = "/lib/b.h:4:1: error: expected ‘;’\n/lib/b.h:2:1: note: to match this\ncompilation terminated.\n"
        let own = "/s/Lamp/a.cpp:4:1: error: expected ‘;’\n"
        #expect(
            CompilerMessages([warning, error + error, own, "2 errors generated.\n"], sketch: "/s/Lamp").text
                == own + "/lib/b.h:4:1: error: expected ‘;’\n/lib/b.h:2:1: note: to match this\n")
        #expect(CompilerMessages([warning]).text == warning)
        #expect(CompilerMessages(["", "\n"]).text == "")
    }

    @Test func tenErrorsAreShownAndTheRestCounted() {
        let errors = (1...13).map { "a.cpp:\($0):1: error: number \($0)\n" }
        #expect(CompilerMessages(errors).text == errors.prefix(10).joined() + "3 more errors\n")
        #expect(CompilerMessages(errors).errorCount == 13)
    }
}
