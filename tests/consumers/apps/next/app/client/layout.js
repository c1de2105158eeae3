import { VerifiedSwapProvider } from "verified-swap/react";

// A component of the server's, which may hold the provider because its entry is one of the client (`"use client"`).
export default function Layout({ children }) {
  return <VerifiedSwapProvider options={{ baseUrl: "http://127.0.0.1" }}>{children}</VerifiedSwapProvider>;
}
