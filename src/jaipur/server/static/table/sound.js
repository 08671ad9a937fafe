// Soft sounds, synthesised on the spot, and only if the setting asks for them.
const wanted = () => document.documentElement.dataset.sound === "on";
let context;

/** Browsers allow sound only after a first press. */
export function wakeSound() {
  const wake = () => {
    if (wanted()) context ??= new AudioContext();
  };
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
}

function note(pitch, at, length, loudness, shape = "sine") {
  const tone = new OscillatorNode(context, { frequency: pitch, type: shape });
  const gain = new GainNode(context, { gain: 0 });
  const start = context.currentTime + at;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

const card = () => note(190, 0, 0.09, 0.06, "triangle");
const coins = () => [1320, 1760, 1980].forEach((pitch, at) => note(pitch, at * 0.07, 0.35, 0.03));
const chime = () => [523, 659, 784].forEach((pitch, at) => note(pitch, at * 0.14, 0.9, 0.04));

/** Two notes call somebody who is looking elsewhere. */
export const bell = () => wanted() && context && [659, 880].forEach((pitch, at) => note(pitch, at * 0.18, 1.2, 0.06));

/** Sound has just been switched on, by a press. */
export function firstSound() {
  context ??= new AudioContext();
  coins();
}

export function soundOf(old, fresh) {
  if (!wanted() || !context) return;
  if (old.dataset.status !== fresh.dataset.status) chime();
  else if (fresh.dataset.move.startsWith("-")) coins();
  else card();
}
