"""`espbench live` and its page as a test uses them: the program of $ESPBENCH, or of the release build."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback

from browser import Browser

root = pathlib.Path(__file__).resolve().parents[3]
AUDIT = root.joinpath("Tests/Tool/LivePageTests/audit.js").read_text()
espbench = os.environ.get("ESPBENCH", root / ".build/release/espbench")


class Live:
    """`espbench live` with a sketch, or several."""

    def __init__(self, sketch, *options):
        self.process = subprocess.Popen(
            [str(espbench), "live", "--seed", "7", *options, *str(sketch).split()], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=root)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(f"espbench live did not start: {self.process.stderr.read()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def end(self, number):
        """Ends it by a signal; its status."""
        self.process.send_signal(number)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("it did not end") from None


class Following:
    """`espbench log FILE --follow`, whose lines are read."""

    def __init__(self, file):
        self.lines = []
        self.process = subprocess.Popen(
            [str(espbench), "log", file, "--follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=lambda: self.lines.extend(iter(self.process.stdout.readline, "")))
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def wait(self, text, seconds=20):
        """Waits until a line has a text."""
        deadline = time.monotonic() + seconds
        while not any(text in line for line in self.lines):
            assert time.monotonic() < deadline, f"no '{text}' in {self.lines}"
            time.sleep(0.03)


def opened(page, live):
    page.open(live.address)
    page.wait("document.body.dataset.link === 'on'")


CONSOLE = "document.querySelector('.lines').innerText"
# Of several boards the one that is shown.
SHOWN = "[...document.querySelectorAll('.line')].filter((l) => l.checkVisibility()).map((l) => l.innerText).join()"


def says(page, text, seconds=20):
    page.wait(f"{CONSOLE}.includes({json.dumps(text)})", seconds)


def button(text, within="body"):
    """The expression of the visible button with a text."""
    return (f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
            f".find((b) => b.innerText === {json.dumps(text)} && b.checkVisibility())")


def click(page, text, within="body"):
    """Clicks on a button with the mouse, once it is there and may be pressed."""
    found = button(text, within)
    page.wait(f"!!{found} && !{found}.getAttribute('aria-disabled')")
    page.run(f"{found}.scrollIntoView({{block: 'center'}}), {found}.setAttribute('data-test', '')")
    page.click("[data-test]")
    page.run("document.querySelector('[data-test]')?.removeAttribute('data-test')")


def is_enabled(page, text, within="body"):
    """Whether the visible button with a text may be pressed."""
    return page.run(f"!{button(text, within)}.getAttribute('aria-disabled')")


def typed_line(page, text):
    page.run("document.querySelector('#console input').focus()")
    page.type(text)
    page.key("Enter")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run(cases, picture, file):
    """Runs those cases of a file whose names have one of the program's arguments; whether one failed."""
    passed = failed = 0
    with Browser() as page:
        for function in cases:
            if sys.argv[1:] and not any(word in function.__name__ for word in sys.argv[1:]):
                continue
            name = function.__name__.replace("_", " ")
            page.size(1280, 800)
            page.faults()
            page.events.clear()
            try:
                function(page)
                # The browser asks for an icon, and for events when the server has ended; some commands are refused.
                expected = ("404", "net::ERR", "400", "409")
                faults = [text for text in page.faults() if not any(word in text for word in expected)]
                assert faults == [], faults
                passed += 1
                print(f"passed: the live page {name}", flush=True)
            except Exception as error:  # Whatever goes wrong is a failure of this case alone.
                failed += 1
                place = traceback.extract_tb(error.__traceback__)
                line = next((frame.lineno for frame in reversed(place) if frame.filename == file), 0)
                print(f"FAILED: the live page {name}: line {line}: {error or type(error).__name__}", flush=True)
                picture(page, "failed-" + function.__name__)
            page.open("about:blank")
    print(f"{passed} passed, {failed} failed")
    return failed > 0
