/** A style sheet's text, as the package's build bundles it. */
declare module "*.css" {
  const text: string;
  export default text;
}
