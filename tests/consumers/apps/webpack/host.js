import("remote/swap");
