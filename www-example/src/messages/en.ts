/* Every text of the page, by area. Another language is another file of this shape. */

export const messages = {
  brand: "Verified swap",

  // start: the first screen, the header, wallets, what cannot start

  // form: amounts, tokens, settings
  form: {
    noFee: "None",
    notANumber: "An amount is digits with one decimal point.",
    tooManyDecimals: (symbol: string, decimals: number) => `${symbol} has ${decimals} decimals, not more.`,
    tooMuch: "That is more than any token has.",
    readAs: (amount: string) => `Read as ${amount}`,
    close: "Close",
  },

  // review: what is signed, its checks, steps, refusals

  // attack: the demo
  attack: {
    title: "Attack this swap",
    running: (title: string) => `Under attack: ${title}`,
    intro: "Choose a lie. The service tells it for real, and this page asks for your swap again.",
    unknown: (name: string) => `There is no attack called “${name}”. Choose one of these.`,
    close: "Close the attacks",
    count: (number: number, of: number) => `Attack ${number} of ${of}`,
    paths: { gasless: "Gasless", market: "Market" },
    list: {
      receiver: {
        title: "Send your tokens to a stranger",
        change: "The service puts another receiver into your order.",
      },
      minimum: {
        title: "Give you 90 % less",
        change: "The service writes a tenth of your minimum into your order.",
      },
      spender: {
        title: "Let a stranger’s contract spend your tokens",
        change: "With the price, the service names another contract to approve.",
      },
      deadline: {
        title: "Keep your order open for ten years",
        change: "The service moves the deadline. Until then, somebody could fill your order at today’s price.",
      },
      price: {
        title: "A price that the market never had",
        change: "The service quotes too little, with dollar values to match. Only the chain’s pools and feeds tell.",
      },
      token: {
        title: "Pay you in a worthless token",
        change: "The service puts a token of its own into your order.",
      },
      marketReceiver: {
        title: "A transaction that pays somebody else",
        change: "The service hides another receiver in the transaction’s data.",
      },
      marketTo: {
        title: "A transaction to another contract",
        change: "The service has your wallet call a contract of its own.",
      },
    },
    steps: { asking: "You ask", lying: "The service lies", stopped: "Stopped" },
    outcome: {
      asking: "Asking the honest service first…",
      lying: "The service lies now. Asking for your swap again…",
      stopped: "Stopped before your wallet opened",
      missed: "Not stopped. Please report this.",
      failed: "This attack could not be made. Try another one.",
    },
    honest: "Honest service",
    lying: "Lying service",
    members: {
      verifyingContract: "Order is for",
      beneficiary: "Receiver",
      srcToken: "You pay",
      destToken: "You get",
      destAmount: "Least you get",
      toAmount: "Least you get",
      expectedAmount: "Expected",
      quotedAmount: "Expected",
      deadline: "Open until",
      spender: "May spend your tokens",
      to: "Contract to call",
    } as Record<string, string>,
    you: "You",
    sender: "You, the sender",
    swapContract: "The service’s contract",
    stranger: "An unknown address",
    amount: (amount: string, symbol: string) => `${amount} ${symbol}`,
    check: "Check that failed",
    counted: (failed: number, all: number) => `${failed} of ${all} checks`,
    walletClosed: "Your wallet was never opened",
    walletAsked: (times: number) => `Requests to sign or send: ${times}`,
    unchecked: "What an unchecked client would have signed",
    uncheckedSource: "The service’s real answer, as a wallet shows it. What the attack changed is marked.",
    prompts: {
      order: (name: string) => `Sign this ${name}?`,
      approval: () => "Approve this spender?",
      transaction: (name: string) => `Send this transaction? ${name}`,
    },
    neverShown: "Never shown",
    changed: "Changed",
    next: "Next attack",
    end: "End attack",
  },

  // built: the page "How this page is built"
  built: {
    title: "How this page is built",
    back: "Back to the swap",
    intro:
      "All that calls the package is in one folder, src/client. Read it from top to bottom; the rest is what you see.",
    guide: "Guide:",
    lines: (count: number) => `Read the code, ${count} lines`,
    restTitle: "The rest",
    rooms: {
      "src/state": "The one state object, and what is computed from it.",
      "src/view": "What you see: components that read the state. None of them calls the client.",
      "src/sandbox": "The test service’s controls and its wallet. A page for a real chain has none of this.",
      "src/messages": "Every text. Another language is another file.",
      "src/style": "Style sheets.",
    },
  },

  // progress: orders on their way, the history, allowances

  // terms: limit, TWAP, crosschain, OTC

  // failures: what went wrong, and what helps
};
