// Play: a placeholder until the room is furnished.

export function mount(element) {
  const title = document.createElement("h1");
  title.textContent = "Play";
  element.append(title);
  return () => element.replaceChildren();
}
