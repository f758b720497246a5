// The boards: the one that is chosen in the panel, with its parts and console, and a switch where there are several.

import { boardPanel } from "./board.js";
import { button, element, setAttribute, setChildren, setText } from "./dom.js";
import { partsPanel } from "./parts.js";

/** Makes the panels in `place` and `partsPlace`, whose console is `log`; returns what takes the states. */
export function boardsPanel(place, partsPlace, log) {
  let states = [];
  let chosen = 0;
  const choices = element("div", { class: "controls", role: "group", "aria-label": "Boards", hidden: true });
  const show = boardPanel(place, () => chosen);
  const showParts = partsPanel(partsPlace, () => chosen);
  place.querySelector("h2").after(choices);

  const update = () => {
    setAttribute(choices, "hidden", states.length < 2);
    setChildren(choices, states, (state) => state.name, makeChoice, (node, state) => {
      const isChosen = states.indexOf(state) === chosen;
      setAttribute(node, "aria-pressed", String(isChosen));
      // One that is not looked at can still say that it is in trouble.
      setText(node, state.crash && !isChosen ? `${state.name} !` : state.name);
    });
    const state = states[chosen];
    if (!state) return;
    show(state);
    showParts(state.parts);
    log.setBoard(state, chosen);
  };

  function makeChoice(state) {
    return button(state.name, () => {
      chosen = states.findIndex((other) => other.name === state.name);
      update();
    });
  }

  return (news) => {
    states = news;
    if (chosen >= states.length) chosen = 0;
    update();
  };
}
