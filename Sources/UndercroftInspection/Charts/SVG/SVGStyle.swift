/// The style sheet that all charts share.
///
/// A page that contains several charts applies each style sheet to all of them. The sheets are
/// therefore equal, and every rule is limited to the class of the charts.
package enum SVGStyle {
  /// The class of the root element.
  static let root = "undercroft-chart"

  /// The text of the style sheet, for a page whose security policy requires its hash.
  package static let sheet: String = {
    let fonts = #"system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif"#
    let common = rules([
      ("text", "font-family:\(fonts);font-size:12px"),
      (".heading", "font-size:15px;font-weight:600"),
      (".strong", "font-weight:600"),
      (".box", "stroke-width:1"),
      (".link", "fill:none;stroke-width:1.5"),
      (".inferred", "stroke-dasharray:5 4"),
      (".mark", "stroke-dasharray:none"),
    ])
    let dark = colors(.dark)
    return common + colors(.light) + "@media (prefers-color-scheme: dark){\n\(dark)}\n"
  }()

  private static func colors(_ palette: SVGPalette) -> String {
    let fills = palette.fills.enumerated().map { index, color in
      (".fill\(index)", "fill:#\(color);stroke:#\(palette.page)")
    }
    return rules(
      [
        ("text", "fill:#\(palette.text)"),
        (".muted", "fill:#\(palette.muted)"),
        (".page", "fill:#\(palette.page)"),
        (".grid", "stroke:#\(palette.grid)"),
        (".bar", "fill:#\(palette.bar)"),
        (".box", "fill:#\(palette.box);stroke:#\(palette.muted)"),
        (".box-header", "fill:#\(palette.boxHeader);stroke:#\(palette.muted)"),
        (".link", "stroke:#\(palette.link)"),
        (".inferred", "stroke:#\(palette.inferredLink)"),
        ("circle.mark", "fill:#\(palette.page)"),
      ] + fills)
  }

  private static func rules(_ rules: [(String, String)]) -> String {
    rules.map { selector, style in ".\(root) \(selector){\(style)}\n" }.joined()
  }
}
