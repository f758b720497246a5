import FirmwareBuild
import Testing

@Suite struct SketchPreprocessorTests {
    private func unit(_ texts: String...) -> String {
        SketchPreprocessor.translationUnit(
            texts.enumerated().map { SketchPreprocessor.Source(path: "/s/\($0).ino", text: $1) })
    }

    @Test func aFunctionUsedBeforeItsDefinitionGetsAPrototypeInFrontOfTheFirstFunction() {
        let text = unit(
            "int count;\nvoid setup() { blink(3); }\nvoid loop() {}\nstatic void blink(int n,\n  bool on) { }\n")
        #expect(
            text == """
                #include <Arduino.h>
                #line 1 "/s/0.ino"
                int count;

                #line 2 "/s/0.ino"
                void setup();
                #line 3 "/s/0.ino"
                void loop();
                #line 4 "/s/0.ino"
                static void blink(int n, bool on);
                #line 2 "/s/0.ino"
                void setup() { blink(3); }
                void loop() {}
                static void blink(int n,
                  bool on) { }


                """)
    }

    @Test(arguments: [
        "template <typename T> T twice(T x) { return x; }",
        "void Led::on() { }",
        "bool operator==(const A &a, const B &b) { return true; }",
        "void f(int x = 3) { }",
        "auto f() -> int { return 1; }",
        "class A : public B { void f() { } };",
        "struct { int x; } s[] = { {1}, {2} };",
        "int table[] = { 1, 2 };",
        "auto f = [](int x) { return x; };",
        "enum class E { a, b };",
        "namespace n { void f() { } }",
        "extern \"C\" { void f() { } }",
        "// void f() { }",
        "/* void f() { } */",
        "const char *s = \"void f() { }\";",
        "const char *s = R\"(void f() { })\";",
        "#define F void f() { }",
        "#define F \\\n void f() { }",
    ])
    func onlyPlainFunctionsGetAPrototype(_ code: String) {
        let text = unit(code + "\n")
        #expect(text == "#include <Arduino.h>\n#line 1 \"/s/0.ino\"\n\(code)\n\n")
    }

    @Test(arguments: [
        ("uint8_t *find(const char *s) { return 0; }", "uint8_t *find(const char *s);"),
        (
            "std::vector<int> all(std::map<int, char> &m) { return {}; }",
            "std::vector<int> all(std::map<int, char> &m);"
        ),
        ("void IRAM_ATTR isr() { }", "void IRAM_ATTR isr();"),
        ("unsigned long f(int (*g)(int)) { return 1'000; }", "unsigned long f(int (*g)(int));"),
    ])
    func plainFunctionsOfAnyTypeGetOne(_ code: String, _ prototype: String) {
        #expect(unit(code).contains("\n\(prototype)\n"))
    }

    @Test func laterFilesArePartOfTheUnitWithTheirOwnLines() {
        let text = unit("void setup() { other(); }\n", "\nvoid other() { }\n")
        #expect(text.contains("#line 2 \"/s/1.ino\"\nvoid other();\n#line 1 \"/s/0.ino\"\nvoid setup() { other(); }"))
        #expect(text.hasSuffix("#line 1 \"/s/1.ino\"\n\nvoid other() { }\n\n"))
    }

    @Test(arguments: [
        "void f(", "}}}{", "\"", "'", "/*", "R\"(", "#", "\\", "(((", "void f() {", "R\"", "#define x \\",
    ])
    func brokenTextIsPassedOnToTheCompiler(_ code: String) {
        #expect(unit(code).contains(code))
    }
}
