import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { VerifiedSwapProvider } from "verified-swap/react";
import { fromWagmi } from "verified-swap/viem";
import { useConnection, WagmiProvider } from "wagmi";
import { App } from "./App.tsx";
import { config, options } from "./setup.ts";
import "./style.css";

/** Whatever wagmi is connected to. */
const wallet = fromWagmi(config);

/** The client, with the account that is connected: prices and reviews follow the user to another one. */
function Swapping({ children }: { children: ReactNode }) {
  const { address } = useConnection();
  return (
    <VerifiedSwapProvider options={options} wallet={address ? { wallet, account: address, switchChain: true } : null}>
      {children}
    </VerifiedSwapProvider>
  );
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Swapping>
          <App />
        </Swapping>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
);
