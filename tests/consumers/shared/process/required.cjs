const { createClient } = require("verified-swap");

import("./trade.js").then(({ trade }) => trade(createClient));
