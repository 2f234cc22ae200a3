// Quiz: a placeholder until the room is furnished.

export function mount(element) {
  const title = document.createElement("h1");
  title.textContent = "Quiz";
  element.append(title);
  return () => element.replaceChildren();
}
