// Whether a part of the page is visible. Invisible parts are neither drawn nor polled.

import { isStale } from './link.js';
import { isUnknown } from './request.js';

// Returns a function that says whether the element is visible. Calls `onVisible` when it becomes visible.
export function observeVisibility(element, onVisible) {
  let isNear = false;
  const isVisible = () => isNear && !document.hidden;
  const notify = () => { if (isVisible()) onVisible(); };
  new IntersectionObserver((all) => { isNear = all.at(-1).isIntersecting; notify(); }).observe(element);
  document.addEventListener('visibilitychange', notify);
  return isVisible;
}

// Calls `act` every `interval` ms while the element is visible, one call at a time. `begin` starts it. It ends when the
// robot has no such route, and calls `onUnknown`; after any other error the next call tries again. While the page is
// stale it makes no call, so that STOP need not wait for a connection.
export function whileVisible(element, interval, act, onUnknown) {
  let isWanted = false, isBusy = false;
  const step = async () => {
    if (!isWanted || isBusy || isStale() || !isVisible()) return;
    isBusy = true;
    try { await act(); } catch (error) {
      if (isUnknown(error)) { isWanted = false; onUnknown(); }
    } finally { isBusy = false; }
  };
  const isVisible = observeVisibility(element, step);
  setInterval(step, interval);
  return {
    begin() { isWanted = true; step(); },
    end() { isWanted = false; },
  };
}
