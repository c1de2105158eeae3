window.result = await chrome.runtime.sendMessage(window.settings);
