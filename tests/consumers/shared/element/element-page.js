import "verified-swap/element";
import { report } from "./swap.js";
import { shown } from "./shown.js";

report(shown(window.settings));
