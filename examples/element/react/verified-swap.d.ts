import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { VerifiedSwapElement, VerifiedSwapEvents, VerifiedSwapProperties } from "verified-swap/element";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "verified-swap": DetailedHTMLProps<HTMLAttributes<VerifiedSwapElement>, VerifiedSwapElement> & VerifiedSwapProperties & {
        ontrade?: (event: VerifiedSwapEvents["trade"]) => void;
      };
    }
  }
}
