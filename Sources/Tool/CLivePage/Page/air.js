// The air: who advertises, nearest first, and who is connected.

import { command } from "./commands.js";
import { button, element, setAttribute, setChildren, setText } from "./dom.js";

/** Makes the panel in `place`; returns what takes the state. */
export function airPanel(place) {
  let isListening = false;
  const listen = button("Listen", () => command("air.listen", { on: !isListening }), { "aria-pressed": "false" });
  const peers = element("ul", { class: "peers", "aria-label": "Who advertises" });
  const nobody = element("p", { class: "empty" }, "Nobody advertises.");
  const links = element("ul", { class: "links", "aria-label": "Connections" });
  place.append(
    element("div", { class: "bar" }, element("h2", { id: "air-title" }, "Air"), listen),
    links,
    peers,
    nobody,
  );

  return (state) => {
    isListening = state.isListening;
    setAttribute(listen, "aria-pressed", String(isListening));
    setChildren(peers, state.peers, (peer) => peer.id, makePeer, showPeer);
    setText(nobody, isListening ? "Nobody advertises." : "Nobody listens.");
    nobody.hidden = isListening && state.peers.length > 0;
    setChildren(links, state.links, (link) => link.central + link.peripheral, () => element("li"), (node, link) =>
      setText(node, `${link.central} ⇄ ${link.peripheral}${link.rssi === undefined ? "" : `, ${link.rssi} dBm`}`),
    );
  };
}

/** A peer with its strength. */
export function makePeer() {
  return element(
    "li",
    { class: "peer" },
    element("span", { class: "strength", "aria-hidden": "true" }, element("span")),
    element("span", { class: "name" }),
    element("span", { class: "rssi" }),
    element("span", { class: "detail" }),
  );
}

/** Shows a peer. */
export function showPeer(node, peer) {
  const [strength, name, rssi, detail] = node.children;
  const part = peer.rssi === undefined ? 0 : Math.min(1, Math.max(0.05, (peer.rssi + 105) / 75));
  strength.firstElementChild.style.width = `${Math.round(part * 100)}%`;
  strength.firstElementChild.style.background = peer.color;
  setText(name, peer.name ?? "(no name)");
  setText(rssi, peer.rssi === undefined ? "? dBm" : `${peer.rssi} dBm`);
  setText(detail, [peer.id, ...peer.services].join("  "));
}
