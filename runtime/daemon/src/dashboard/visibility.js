// Whether a part of the page can be seen. What nobody sees is neither drawn nor asked for.

import { isUnknown } from './ask.js';

// Answers whether the element is in sight; `came` is called whenever it comes into sight.
export function sight(element, came) {
  let isNear = false;
  const isSeen = () => isNear && !document.hidden;
  const look = () => { if (isSeen()) came(); };
  new IntersectionObserver((all) => { isNear = all.at(-1).isIntersecting; look(); }).observe(element);
  document.addEventListener('visibilitychange', look);
  return isSeen;
}

// Asks again and again while the element is in sight, one question at a time. It begins with `begin`, and ends when
// the robot does not know the question; any other failure is met by the next try.
export function whileSeen(element, pause, act, unknown) {
  let isWanted = false, isBusy = false;
  const step = async () => {
    if (!isWanted || isBusy || !isSeen()) return;
    isBusy = true;
    try { await act(); } catch (error) {
      if (isUnknown(error)) { isWanted = false; unknown(); }
    } finally { isBusy = false; }
  };
  const isSeen = sight(element, step);
  setInterval(step, pause);
  return {
    begin() { isWanted = true; step(); },
    end() { isWanted = false; },
  };
}
