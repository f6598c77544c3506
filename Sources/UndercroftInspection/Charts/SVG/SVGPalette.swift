/// The colours of all charts in one colour scheme, as six hexadecimal digits.
package struct SVGPalette: Sendable {
  package var page: String
  package var text: String
  package var muted: String
  package var grid: String
  package var bar: String
  package var box: String
  package var boxHeader: String
  package var link: String
  package var inferredLink: String
  /// The colours of areas that contain text.
  package var fills: [String]

  /// The number of different fills.
  package static let fillCount = 8

  /// The colours on a light page.
  package static let light = SVGPalette(
    page: "ffffff", text: "1f2328", muted: "59636e", grid: "d1d9e0", bar: "2f6fd0", box: "f6f8fa",
    boxHeader: "d6e4f7", link: "3d5a80", inferredLink: "8a5a00",
    fills: [
      "a9cdf9", "aee0ba", "f6d58a", "f4b8ae", "d3c0f2", "a6dfe4", "f2bdd9", "ccd2d9",
    ])

  /// The colours on a dark page.
  package static let dark = SVGPalette(
    page: "0d1117", text: "f0f6fc", muted: "a0a8b1", grid: "30363d", bar: "6aa5f8", box: "161b22",
    boxHeader: "1f3a5f", link: "8fb4e6", inferredLink: "e0b050",
    fills: [
      "1f4e8c", "1f5c38", "664b0c", "7d2f26", "543a8a", "145a62", "7a2a56", "3d444d",
    ])
}
