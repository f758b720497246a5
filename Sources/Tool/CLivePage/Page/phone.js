// The phone: its search, its connection with the peer's services, what a pairing asks, and its apps.

import { makePeer, showPeer } from "./air.js";
import { calculatorApp, lockApp } from "./apps.js";
import { command } from "./commands.js";
import { button, element, setAttribute, setChildren, setEnabled, setText } from "./dom.js";
import { pairingQuestion } from "./pairing.js";
import { makeService, showService } from "./services.js";

/** Makes the panel in `place`; returns what takes the states. */
export function phonePanel(place) {
  const explorer = explore();
  const calculator = calculatorApp();
  const lock = lockApp();
  const question = pairingQuestion();
  const tabs = tabList([
    ["explore", "Explore", explorer.node],
    ["calculator", "Calculator", calculator.node],
    ["lock", "Lock", lock.node],
  ]);
  place.append(
    element("h2", { id: "phone-title" }, "Phone ", explorer.bluetooth),
    tabs.list,
    question.node,
    explorer.node,
    calculator.node,
    lock.node,
  );
  return {
    setPhone(state) {
      explorer.show(state);
      question.show(state.question);
    },
    setCalculator(state) {
      tabs.offer("calculator", state.isOffered);
      calculator.show(state);
    },
    setLock(state) {
      tabs.offer("lock", state.isOffered);
      lock.show(state);
    },
  };
}

/** Tabs for panels, of which only the first is there until the others are offered; the arrow keys go through them. */
function tabList(entries) {
  const list = element("div", { role: "tablist", "aria-label": "Apps of the phone", class: "tabs" });
  const choose = (chosen, hasFocus) => {
    for (const [index, [, , panel]] of entries.entries()) {
      const tab = list.children[index];
      const isChosen = index === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
      if (isChosen && hasFocus) tab.focus();
    }
  };
  for (const [index, [id, title, panel]] of entries.entries()) {
    panel.id = `app-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    list.append(
      button(title, () => choose(index, true), { role: "tab", id: `tab-${id}`, "aria-controls": panel.id, hidden: index > 0 }),
    );
  }
  list.addEventListener("keydown", (event) => {
    const shown = [...list.children].filter((tab) => !tab.hidden);
    const former = shown.indexOf(document.activeElement);
    const moves = { ArrowRight: former + 1, ArrowLeft: former - 1, Home: 0, End: shown.length - 1 };
    if (former < 0 || moves[event.key] === undefined) return;
    event.preventDefault();
    const next = shown[(moves[event.key] + shown.length) % shown.length];
    choose([...list.children].indexOf(next), true);
  });
  choose(0, false);
  return {
    list,
    /** Shows or hides a tab; in place of a hidden one that is chosen, the first is chosen. */
    offer(id, isOffered) {
      const index = entries.findIndex(([other]) => other === id);
      list.children[index].hidden = !isOffered;
      if (!isOffered && !entries[index][2].hidden) choose(0, false);
    },
  };
}

function explore() {
  let state = { isSearching: false, found: [], services: [], connection: "none" };
  const bluetooth = element("span", { class: "state" });
  const search = button("Search", () => command("phone.search", { on: !state.isSearching }), { "aria-pressed": "false" });
  const disconnect = button("Disconnect", () => command("phone.disconnect"));
  const pair = button("Pair", () => state.connection === "connected" && command("phone.pair"));
  const forget = button("Forget bonds", () => command("phone.forget"));
  const message = element("p", { class: "message", role: "status" });
  const peers = element("ul", { class: "peers", "aria-label": "Found, nearest first" });
  const link = element("p", { class: "connection" });
  const services = element("div", { class: "services" });
  const node = element(
    "div",
    { class: "app" },
    element("div", { class: "controls" }, search, disconnect, pair, forget),
    link,
    message,
    peers,
    services,
  );
  return {
    node,
    bluetooth,
    show(next) {
      state = next;
      const isConnected = state.connection === "connected";
      setText(bluetooth, state.bluetooth === "poweredOn" ? "" : state.bluetooth);
      setAttribute(search, "aria-pressed", String(state.isSearching));
      setText(search, state.isSearching ? "Stop" : "Search");
      setEnabled(disconnect, state.connection !== "none");
      setEnabled(pair, isConnected);
      setText(message, state.message);
      setText(link, connectionText(state));
      link.hidden = state.connection === "none";
      const isListShown = state.isSearching || (state.connection === "none" && state.found.length > 0);
      peers.hidden = !isListShown;
      setChildren(peers, isListShown ? state.found : [], (peer) => peer.id, makeFound, showFound);
      setChildren(services, state.services, (service) => service.uuid, makeService, showService);
    },
  };
}

function connectionText(state) {
  const who = state.peerName ? `${state.peerName} (${state.peer})` : state.peer;
  const words = { connecting: "connecting", reconnecting: "connecting again", connected: "connected" };
  return [`${who}: ${words[state.connection] ?? ""}`, state.security].filter(Boolean).join(", ");
}

function makeFound(peer) {
  const node = makePeer();
  node.append(button("Connect", () => command("phone.connect", { id: peer.id })));
  return node;
}

function showFound(node, peer) {
  showPeer(node, peer);
  setAttribute(node.lastElementChild, "aria-label", peer.name ? `Connect to ${peer.name}, ${peer.id}` : `Connect to ${peer.id}`);
}
