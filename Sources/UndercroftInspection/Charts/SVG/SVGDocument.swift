/// A builder of an SVG document without scripts, identifiers and references to other resources.
///
/// Every text is escaped and every number is finite. Names of elements and attributes are literals.
package struct SVGDocument: Sendable {
  /// The position of a text relative to its x coordinate.
  package enum Anchor: String, Sendable {
    case start = "start"
    case middle = "middle"
    case end = "end"
  }

  private let head: String
  private var body = ""

  /// Creates an empty document.
  ///
  /// - Parameters:
  ///   - width: the width of the view box and the preferred width of the image in pixels.
  ///   - height: the height of the view box and the preferred height of the image in pixels.
  ///   - title: the accessible name of the image.
  ///   - description: the accessible description of the image.
  package init(width: Double, height: Double, title: String, description: String) {
    let (shownWidth, shownHeight) = (SVGNumber.text(width), SVGNumber.text(height))
    head = """
      <svg xmlns="http://www.w3.org/2000/svg" class="\(SVGStyle.root)" role="img" \
      width="\(shownWidth)" height="\(shownHeight)" viewBox="0 0 \(shownWidth) \(shownHeight)">
      <title>\(SVGText.escaped(title))</title>
      <desc>\(SVGText.escaped(description))</desc>
      <style>
      \(SVGStyle.sheet)</style>

      """
    // A browser shows a document of its own on a white page in every colour scheme.
    rectangle(SVGRectangle(x: 0, y: 0, width: width, height: height), .page)
  }

  /// The text of the document.
  package var text: String { head + body + "</svg>\n" }

  /// Appends a rectangle.
  ///
  /// - Parameters:
  ///   - frame: the position and the size; a negative size is treated as zero.
  ///   - style: the class of the element.
  ///   - radius: the radius of the corners.
  ///   - tooltip: the text that is shown while the pointer is over the rectangle.
  package mutating func rectangle(
    _ frame: SVGRectangle, _ style: SVGClass, radius: Double = 0, tooltip: String? = nil
  ) {
    var attributes: [(StaticString, String)] = [
      ("class", style.name), ("x", SVGNumber.text(frame.x)), ("y", SVGNumber.text(frame.y)),
      ("width", SVGNumber.text(max(frame.width, 0))),
      ("height", SVGNumber.text(max(frame.height, 0))),
    ]
    if radius > 0 { attributes.append(("rx", SVGNumber.text(radius))) }
    element("rect", attributes, tooltip: tooltip)
  }

  /// Appends a line of text whose baseline starts at, is centred on, or ends at a point.
  package mutating func label(
    _ text: String, x: Double, y: Double, _ style: SVGClass = .label, anchor: Anchor = .start
  ) {
    body += "<text class=\"\(style.name)\" x=\"\(SVGNumber.text(x))\" y=\"\(SVGNumber.text(y))\""
    if anchor != .start { body += " text-anchor=\"\(anchor.rawValue)\"" }
    body += ">\(SVGText.escaped(text))</text>\n"
  }

  /// Appends a path.
  package mutating func path(_ path: SVGPath, _ style: SVGClass, tooltip: String? = nil) {
    element("path", [("class", style.name), ("d", path.data)], tooltip: tooltip)
  }

  /// Appends a circle.
  package mutating func circle(x: Double, y: Double, radius: Double, _ style: SVGClass) {
    element(
      "circle",
      [
        ("class", style.name), ("cx", SVGNumber.text(x)), ("cy", SVGNumber.text(y)),
        ("r", SVGNumber.text(max(radius, 0))),
      ])
  }

  /// Appends the elements that `content` draws as one group with an accessible name.
  package mutating func group(_ name: String, _ content: (inout SVGDocument) -> Void) {
    body += "<g>\n<title>\(SVGText.escaped(name))</title>\n"
    content(&self)
    body += "</g>\n"
  }

  private mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)], tooltip: String? = nil
  ) {
    body += "<\(name)"
    // The values are names of classes and numbers, which contain no markup.
    for (attribute, value) in attributes { body += " \(attribute)=\"\(value)\"" }
    guard let tooltip else {
      body += "/>\n"
      return
    }
    body += "><title>\(SVGText.escaped(tooltip))</title></\(name)>\n"
  }
}
