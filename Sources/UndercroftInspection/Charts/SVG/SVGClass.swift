/// The class of an SVG element, which selects its colours in the style sheet.
package struct SVGClass: Sendable, Equatable {
  let name: String

  package static let label = SVGClass(name: "label")
  package static let muted = SVGClass(name: "muted")
  package static let heading = SVGClass(name: "heading")
  package static let strong = SVGClass(name: "strong")
  package static let page = SVGClass(name: "page")
  package static let grid = SVGClass(name: "grid")
  package static let bar = SVGClass(name: "bar")
  package static let box = SVGClass(name: "box")
  package static let boxHeader = SVGClass(name: "box-header")
  package static let link = SVGClass(name: "link")
  package static let inferredLink = SVGClass(name: "link inferred")
  package static let mark = SVGClass(name: "link mark")
  package static let inferredMark = SVGClass(name: "link inferred mark")

  /// Returns the class of a coloured area; the colours repeat after `SVGPalette.fillCount`.
  package static func fill(_ index: Int) -> SVGClass {
    SVGClass(name: "fill\(index.magnitude % UInt(SVGPalette.fillCount))")
  }
}
