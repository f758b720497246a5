"""The cases of Scripts/test-live about the parts of boards, and the apps of the phone."""
import json
import pathlib
import tempfile

from live import AUDIT, SHOWN, Live, button, click, opened, root, says, typed_line

crash = root / "Tests/Tool/LivePageTests/Sketches/Crash"
world = root / "Tests/Tool/LivePageTests/Sketches/World"
climate = "Firmware/Climate/Suites/climate.yaml"
cases = []


def case(function):
    cases.append(function)
    return function


def slid(page, name, value):
    """Moves a slider as a user does."""
    page.run(f"""(() => {{
      const slider = document.querySelector('[type=range][aria-label="{name}"]');
      slider.value = {value};
      slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
      slider.dispatchEvent(new Event('change', {{ bubbles: true }}));
    }})()""")


def reads(page, name, text, seconds=20):
    """Waits for a reading of a part."""
    page.wait(f"document.querySelector('output[aria-label={json.dumps(name)}]')?.innerText === {json.dumps(text)}", seconds)


@case
def shows_parts_and_sets_what_acts_on_them(page):
    with Live(world, "--parts", f"{world}/parts.yaml") as live:
        opened(page, live)
        says(page, "ready")
        names = "[...document.querySelectorAll('.part .name')].map((n) => n.innerText)"
        assert page.run(names) == ["knob", "door", "mode", "pad", "counter", "lamp", "arm", "light"]
        # What a part is at has no button and no level of its own.
        page.wait("[...document.querySelectorAll('#board .hold')].map((b) => b.innerText).join() === 'BOOT,GPIO 14'")
        page.wait("[...document.querySelectorAll('.pin')].map((p) => p.innerText).join().startsWith('GPIO 4')")
        assert page.text(".signals") == "GPIO 5\n25 %, 2 kHz", page.text(".signals")
        slid(page, "knob position", 100)
        says(page, "level 101")
        reads(page, "lamp brightness", "100 %")
        page.wait("document.querySelector('meter[aria-label=\"lamp brightness\"]').value === 100")
        page.wait("document.querySelector('.part:has(.servo) svg.servo').ariaLabel === 'Servo arm: 180°'")
        reads(page, "light colours", "#FF8000")
        assert page.run("getComputedStyle(document.querySelector('.colours span')).backgroundColor") == "rgb(255, 128, 0)"
        # A number that it cannot have is refused, and the former one is there again.
        field = "document.querySelector('[aria-label=\"knob position in %\"]')"
        page.run(f"({field}.value = 101, {field}.dispatchEvent(new Event('change')))")
        page.wait("document.querySelector('#notice').innerText.includes('of 0...100 %, got 101')")
        page.wait(f"{field}.value === '100'")
        # The door as long as it is pressed, a key by the keyboard, a switch by a click.
        page.run("document.querySelector('.part [aria-label=door]').scrollIntoView({block: 'center'})")
        place = page.hover(".part [aria-label=door]")
        for kind, line in (("mousePressed", "door low"), ("mouseReleased", "door high")):
            page.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
            says(page, line)
        click(page, "closed", "#parts")
        page.wait(f"{button('closed', '#parts')}.ariaPressed === 'true'")
        page.run("document.querySelector('[aria-label=\"pad 3\"]').focus()")
        page.call("Input.dispatchKeyEvent", type="rawKeyDown", key=" ", windowsVirtualKeyCode=32)
        page.wait("!!document.querySelector('[data-pressed][aria-label=\"pad 3\"]')")
        page.call("Input.dispatchKeyEvent", type="keyUp", key=" ", windowsVirtualKeyCode=32)
        page.wait("!document.querySelector('.part:has([aria-label=\"pad 3\"]) [data-pressed]')")
        # A sensor of the user's own, unplugged and back.
        slid(page, "counter count", 7)
        typed_line(page, "count")
        says(page, "count 7")
        page.run("document.querySelector('[aria-label=\"Unplug counter\"]').scrollIntoView({block: 'center'})")
        page.click('[aria-label="Unplug counter"]')
        page.wait("!!document.querySelector('[aria-label=\"Plug in counter\"]')")
        typed_line(page, "count")
        says(page, "no count")
        for scheme in ("light", "dark"):
            page.size(1280, 2400, scheme)
            faults = page.run(AUDIT)
            assert faults == [], (scheme, faults)


@case
def lets_the_climate_sensor_warm_up(page):
    with Live("Climate", "--parts", climate) as live:
        opened(page, live)
        lit = "document.querySelector('canvas').ariaLabel"
        page.wait(f"{lit}.includes('128 x 64') && !{lit}.includes(' 0 pixels')")
        pixels = """(() => {
          const canvas = document.querySelector('canvas');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return [canvas.width, data.filter((value, index) => index % 4 === 0 && value === 255).length];
        })()"""
        # The canvas has the pixels of the display.
        page.wait(f"(([width, count]) => width === 128 && {lit}.includes(` ${{count}} pixels lit`))({pixels})")
        # It has no app of its own.
        assert page.run("[...document.querySelectorAll('[role=tab]')].filter((t) => t.checkVisibility()).length") == 1
        click(page, "Search", "#phone")
        page.wait("!!document.querySelector('#app-explore .peer')")
        click(page, "Connect", "#app-explore")
        page.wait("!!document.querySelector('[aria-label=\"Subscribe to Temperature\"]')")
        page.run("document.querySelector('[aria-label=\"Subscribe to Temperature\"]').scrollIntoView()")
        page.click('[aria-label="Subscribe to Temperature"]')
        before = page.run(f"{pixels}[1]")
        slid(page, "sensor temperature", 31.5)
        page.wait("document.querySelector('[aria-label=\"Value of Temperature\"]').innerText.includes('4E 0C')")
        says(page, "31.50 C")
        page.wait(f"{pixels}[1] !== {before}")
        page.run("document.querySelector('[aria-label=\"Unplug sensor\"]').scrollIntoView({block: 'center'})")
        page.click('[aria-label="Unplug sensor"]')
        says(page, "BME280 at 0x76 does not answer")


@case
def keeps_the_parts_of_several_boards_apart(page):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "p.yaml").write_text("lamp: {part: led, pin: 2}\ndoor: {part: button, pin: 4}\n")
        with Live(f"{crash} {crash}", "--parts", f"{folder}/p.yaml", "--parts", f"{folder}/p.yaml") as live:
            opened(page, live)
            says(page, "ready")
            page.run("document.querySelector('[aria-label=\"Hold door\"]').scrollIntoView({block: 'center'})")
            page.click('[aria-label="Hold door"]')
            page.wait(f"{SHOWN}.includes('low 4')")
            click(page, "Crash 2", "#board")
            page.wait("!document.querySelector('[aria-label=\"Hold door\"]').checked")
            assert "low 4" not in page.run(SHOWN)
            page.click('[aria-label="Unplug lamp"]')
            page.wait("!!document.querySelector('[aria-label=\"Plug in lamp\"]')")
            page.run("[...document.querySelectorAll('#board .controls button')].find((b) => b.innerText === 'Crash').click()")
            page.wait("!!document.querySelector('[aria-label=\"Unplug lamp\"]')")
            page.wait("document.querySelector('[aria-label=\"Hold door\"]').checked")


@case
def offers_the_apps_of_what_is_there_only(page):
    with Live(f"{crash} Calculator") as live:
        tabs = "[...document.querySelectorAll('[role=tab]')].filter((t) => t.checkVisibility()).map((t) => t.innerText).join()"
        opened(page, live)
        page.wait(f"{tabs} === 'Explore,Calculator'")
        # The arrows go round without what is not shown.
        page.run("document.querySelector('#tab-explore').focus()")
        page.key("ArrowLeft")
        assert page.run("document.activeElement.id") == "tab-calculator"
        page.key("ArrowRight")
        assert page.run("document.activeElement.id") == "tab-explore"
