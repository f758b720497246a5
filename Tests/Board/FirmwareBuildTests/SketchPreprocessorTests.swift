import FirmwareBuild
import Testing

@Suite struct SketchPreprocessorTests {
    private func preprocessor(_ texts: [String]) -> SketchPreprocessor {
        SketchPreprocessor(
            texts.enumerated().map { SketchPreprocessor.Tab(path: "/s/\($0).ino", bytes: Array($1.utf8)) })
    }

    /// The unit; the merged text stands for the preprocessor's output.
    private func unit(_ texts: String...) -> String {
        let preprocessor = preprocessor(texts)
        return String(decoding: preprocessor.translationUnit(preprocessed: preprocessor.merged), as: UTF8.self)
    }

    private func prototypes(_ code: String) -> [String] {
        let start = "static int first() { return 0; }\n"
        let lines = unit(start + code + "\n").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let end = lines.firstIndex { $0 == start.dropLast() } ?? 0
        return lines[..<end].filter { $0.hasSuffix(";") && $0 != "static int first();" }
    }

    @Test func aFunctionUsedBeforeItsDefinitionGetsAPrototypeInFrontOfTheFirstFunction() {
        let text = unit(
            "int count;\nvoid setup() { blink(3); }\nvoid loop() {}\nstatic void blink(int n, // how often\n  bool on) { }\n"
        )
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
                static void blink(int n, // how often
                  bool on) { }


                """)
    }

    @Test(arguments: [
        "void Led::on() { }",
        "Led::Led() : x(1) { }",
        "Led::~Led() { }",
        "Led::operator int() const { return 1; }",
        "Led::Led(int x) : pin{x}, on(x) { }",
        "Led::Led() noexcept : Base<int>{1}, on{2} { f(); }",
        "Led::Led() try : pin{1} { } catch (...) { }",
        "template <typename T> Led<T>::Led() : x{} { }",
        "template <> int twice<int>(int x) { return x; }",
        "template <> int twice<int>(int x) noexcept { return x; }",
        "int (*pick(int x))(int) { return 0; }",
        "int (&all())[5] { return list; }",
        "int (three)(int x) { return 3; }",
        "Led a(1), b{2};",
        "int list[]{1, 2}, x{3};",
        "void f(int x = 3) { }",
        "template <typename T = int> T f() { return T(); }",
        "class A : public B { void f() { } };",
        "struct __attribute__((packed)) A { void f() { } };",
        "struct { int x; } s[] = { {1}, {2} };",
        "int table[] = { f(1), 2 };",
        "auto f = [](int x) { return x; };",
        "std::function<void(int)> f = [](int x) { };",
        "enum class E { a, b };",
        "namespace n { void f() { } }",
        "inline namespace n { void f() { } }",
        "// void f() { }",
        "/* void f() { } */",
        "const char *s = \"void f() { }\";",
        "const char *s = R\"x(void f() { )\" })x\";",
        "#define F void f() { }",
        "#define F \\\n void f() { }",
        "int x{f(1)};",
        "Ticker t(1, f);",
        "void f(); void f() { }",
        "MACRO(f) { }",
        "using f = void (*)(int);",
        "typedef struct { int x; } T;",
    ])
    func othersGetNone(_ code: String) {
        #expect(prototypes(code) == [])
        // Nor do they keep the next one from having its own.
        #expect(prototypes(code + "\nint next(int x) { return x; }") == ["int next(int x);"])
    }

    @Test(arguments: [
        ("uint8_t *find(const char *s) { return 0; }", "uint8_t *find(const char *s);"),
        ("String &name(const String &s) { return x; }", "String &name(const String &s);"),
        (
            "std::vector<int> all(std::map<int, std::pair<char, char>> &m) { return {}; }",
            "std::vector<int> all(std::map<int, std::pair<char, char>> &m);"
        ),
        ("void IRAM_ATTR isr() { }", "void IRAM_ATTR isr();"),
        ("__attribute__((weak)) void f() { }", "__attribute__((weak)) void f();"),
        ("[[nodiscard]] int f() noexcept { return 1; }", "[[nodiscard]] int f() noexcept;"),
        ("unsigned long f(int (*g)(int)) { return 1'000; }", "unsigned long f(int (*g)(int));"),
        ("int sum(int v[3], int n) { return 0; }", "int sum(int v[3], int n);"),
        ("struct Point p(enum Mode m) { return {}; }", "struct Point p(enum Mode m);"),
        ("template <typename T> T twice(T x) { return x; }", "template <typename T> T twice(T x);"),
        ("static inline int f(void)\n{ return 1; }", "static inline int f(void);"),
        ("auto f(int x) -> int { return 1; }", "auto f(int x) -> int;"),
        ("extern \"C\" void f(int x) { }", "extern \"C\" void f(int x);"),
        ("extern \"C\" {\nvoid f(int x) { }\n}", "extern \"C\" void f(int x);"),
        ("void\nf(\n  int x,  /* a */\n  int y\n)\n{ }", "void f( int x, int y );"),
        ("A operator+(const A &a, const A &b) { return a; }", "A operator+(const A &a, const A &b);"),
        (
            "bool operator==(const A &a, const B &b) { return true; }",
            "bool operator==(const A &a, const B &b);"
        ),
        ("bool f(int n) noexcept(sizeof(A) == 4) { return true; }", "bool f(int n) noexcept(sizeof(A) == 4);"),
        ("int x = '{'; void f() { }", "void f();"),
        ("const char *s = u8R\"({)\"; void f() { }", "void f();"),
    ])
    func functionsOfAnyTypeGetOne(_ code: String, _ prototype: String) {
        #expect(prototypes(code) == [prototype])
    }

    @Test func laterFilesArePartOfTheUnitWithTheirOwnLines() {
        let text = unit("void setup() { other(); }\n", "\nvoid other() { }\n")
        #expect(text.contains("#line 2 \"/s/1.ino\"\nvoid other();\n#line 1 \"/s/0.ino\"\nvoid setup() { other(); }"))
        #expect(text.hasSuffix("#line 1 \"/s/1.ino\"\n\nvoid other() { }\n\n"))
    }

    @Test func aFunctionPassedOnBeforeTheFirstNeedsItsPrototypeThere() {
        let text = unit("struct S {};\nTicker a(1, &blink);\nvoid setup() { }\nvoid blink() { }\n")
        #expect(text.contains("void blink();\n#line 2 \"/s/0.ino\"\nTicker a(1, &blink);\n"), "\(text)")
    }

    @Test func prototypesAreNotPutIntoACommentOrBehindTypesOfALaterTab() {
        let comment = unit("/* about\n this */ void setup() { }\n")
        #expect(
            comment.contains(" this */ \n#line 2 \"/s/0.ino\"\nvoid setup();\n#line 2 \"/s/0.ino\"\nvoid setup() { }"))
        let headless = unit("int x;\n", "void setup() { }\n")
        #expect(
            headless.hasPrefix(
                "#include <Arduino.h>\n#line 1 \"/s/1.ino\"\nvoid setup();\n#line 1 \"/s/0.ino\"\nint x;"))
    }

    @Test(arguments: ["#define TYPES \"text/*\"", "#define PIN 2 // see docs/*.md", "#include <A.h> // docs/*.md"])
    func whatLooksLikeACommentInADirectiveIsNone(_ directive: String) {
        let text = unit(directive + "\nvoid setup() { }\n/* end */\nvoid loop() { }\n")
        let prototypes = "void setup();\n#line 4 \"/s/0.ino\"\nvoid loop();\n"
        #expect(text.contains(prototypes + "#line 2 \"/s/0.ino\"\nvoid setup() { }"), "\(text)")
    }

    @Test func onlyWhatThePreprocessorLeavesIsDeclared() {
        let preprocessor = preprocessor(["#include <A.h>\n#if X\nvoid f() { }\n#endif\nvoid setup() { f(); }\n"])
        let output = """
            # 1 "/tmp/unit.cpp"
            # 1 "/include/A.h" 1
            void inHeader() { }
            # 2 "/tmp/unit.cpp" 2
            # 1 "/s/0.ino"




            void setup() { f(); }
            """
        let text = String(decoding: preprocessor.translationUnit(preprocessed: Array(output.utf8)), as: UTF8.self)
        #expect(text.contains("#line 5 \"/s/0.ino\"\nvoid setup();\n#line 5 \"/s/0.ino\"\nvoid setup()"), "\(text)")
        #expect(!text.contains("void f();") && !text.contains("inHeader"))
    }

    @Test(arguments: [
        "void f(", "}}}{", "\"", "'", "/*", "R\"(", "#", "\\", "(((", "void f() {", "R\"", "#define x \\", "{", "}",
        "f(]{)};",
        "template <", "operator", "extern \"C\" {", "#line", "# 1 \"", "'''", "::(){", "= {",
    ])
    func brokenTextIsPassedOnToTheCompiler(_ code: String) {
        #expect(unit(code).contains(code))
        #expect(unit("void setup() {}\n" + code).contains(code))
    }
}
