import { report } from "./swap.js";
import { shown } from "./shown.js";
import "./node_modules/verified-swap/element.js";

report(shown(window.settings));
