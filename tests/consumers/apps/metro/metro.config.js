// An app of React Native's for the web, without React Native.
module.exports = { transformer: { getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }) } };
