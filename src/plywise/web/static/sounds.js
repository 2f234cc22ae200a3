// Short sounds for what happens in a game, made by the browser's synthesiser.  They are off until `setSounds(true)`.
// Browsers allow sound only after the user has clicked or typed; a sound before that is left out.

const SOUNDS = { // each note: its pitch at first and at last in hertz, when it begins, and how long and how loud it is
  move: [{ from: 320, to: 170, at: 0, lasts: 0.07, volume: 0.5, shape: "triangle" }],
  capture: [
    { from: 420, to: 150, at: 0, lasts: 0.06, volume: 0.6, shape: "square" },
    { from: 260, to: 110, at: 0.05, lasts: 0.1, volume: 0.5, shape: "triangle" },
  ],
  end: [
    { from: 392, to: 392, at: 0, lasts: 0.22, volume: 0.35, shape: "sine" },
    { from: 494, to: 494, at: 0.14, lasts: 0.22, volume: 0.35, shape: "sine" },
    { from: 587, to: 587, at: 0.28, lasts: 0.45, volume: 0.35, shape: "sine" },
  ],
  low: [
    { from: 880, to: 880, at: 0, lasts: 0.09, volume: 0.3, shape: "sine" },
    { from: 880, to: 880, at: 0.16, lasts: 0.09, volume: 0.3, shape: "sine" },
  ],
};
const LOUDNESS = 0.25; // of all sounds
const SOFT = 0.005; // seconds that a note takes to begin, so that it does not click

let speaker = null; // while sounds are on

/** Turn sounds on or off. */
export function setSounds(on) {
  if (on) speaker ??= new AudioContext();
  else {
    speaker?.close();
    speaker = null;
  }
}

/** Make a sound: "move", "capture", "end" of the game, or "low" on time.  Returns whether it can be heard. */
export function sound(kind) {
  const notes = SOUNDS[kind];
  if (!notes) throw new Error(`There is no sound "${kind}", only ${Object.keys(SOUNDS).join(", ")}.`);
  if (!speaker) return false;
  if (speaker.state === "suspended") speaker.resume();
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return false;
  for (const note of notes) play(note);
  return true;
}

function play({ from, to, at, lasts, volume, shape }) {
  const begin = speaker.currentTime + at, end = begin + lasts;
  const tone = new OscillatorNode(speaker, { type: shape, frequency: from });
  const gain = new GainNode(speaker, { gain: 0 });
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(volume * LOUDNESS, begin + SOFT);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  tone.connect(gain).connect(speaker.destination);
  tone.start(begin);
  tone.stop(end);
}
