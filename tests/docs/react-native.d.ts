/** `react-native-webview` as the guide to WebViews uses it: its own declarations need all of React Native. */
declare module "react-native-webview" {
  import { Component } from "react";
  export class WebView extends Component<{
    source: { uri: string };
    onMessage(event: { nativeEvent: { data: string; url: string } }): void;
    onShouldStartLoadWithRequest(request: { url: string }): boolean;
  }> {
    injectJavaScript(script: string): void;
  }
}
