/// A parser of the structure of an XML property list, without recursion.
///
/// The parser verifies tags and references to characters. It does not decode text.
struct XMLParser {
  /// A container whose end tag has not been reached.
  private struct OpenElement {
    let element: XMLElement
    /// The position of the container in the table, or `nil` for the element plist.
    let node: Int?
    /// The offset of the start tag.
    let offset: Int
    /// The position of the first child of the container in `pending`.
    let firstChild: Int
    /// Whether the last child is a key without a value.
    var hasKey = false
  }

  private var scanner: XMLScanner
  private var table = XMLNodeTable()
  private var stack: [OpenElement] = []
  /// Whether the outermost element is plist; other programs may omit it.
  private var hasPlist = false
  /// The children of all open containers.
  private var pending: [UInt32] = []

  private init(_ bytes: [UInt8]) { scanner = XMLScanner(bytes) }

  /// Parses a text in UTF-8.
  static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> XMLNodeTable {
    var parser = XMLParser(bytes)
    guard bytes.count < Int(UInt32.max) else {
      throw parser.scanner.error("the text is larger than 4 GiB, which is not supported")
    }
    try parser.scanner.skipProlog()
    try parser.parseStartTag()
    while !parser.stack.isEmpty { try parser.parseContent() }
    // The end tag of plist shows that the list is complete, and Foundation ignores what follows.
    // Without this tag, more elements mean that the beginning of the file is missing.
    guard !parser.hasPlist else { return parser.table }
    try parser.scanner.skipMiscellany()
    guard parser.scanner.isAtEnd else {
      throw parser.scanner.error("the text continues after the end of the outermost element")
    }
    return parser.table
  }

  private var innermostName: StaticString { stack.last?.element.name ?? "plist" }

  private mutating func parseContent() throws(PropertyListError) {
    try scanner.skipMiscellany()
    guard let byte = scanner.current else {
      throw scanner.error("the text ends inside of the element \(innermostName)")
    }
    guard byte == UInt8(ascii: "<") else {
      throw scanner.error(
        "the element \(innermostName) contains text where only elements may be")
    }
    if scanner.isAt("</") { try parseEndTag() } else { try parseStartTag() }
  }

  // MARK: Tags

  private mutating func parseStartTag() throws(PropertyListError) {
    let offset = scanner.offset
    guard scanner.skip("<") else {
      throw scanner.error(at: offset, "the text has no element plist")
    }
    let name = scanner.name()
    guard let element = XMLElement(scanner.bytes, name) else {
      throw scanner.error(at: offset, "a property list has no such element", excerpt: name)
    }
    try verifyPlace(of: element, at: offset)
    let isEmpty = try scanner.skipAttributes()
    let node = table.nodes.count
    var entry = XMLNodeTable.Node(element: element, offset: UInt32(clamping: offset))
    let isPlist = element == .plist
    if isPlist { hasPlist = true }
    if !isPlist { addChild(node, isKey: element == .key) }
    if element.isContainer {
      if !isPlist { table.nodes.append(entry) }
      stack.append(
        OpenElement(
          element: element, node: isPlist ? nil : node, offset: offset, firstChild: pending.count))
      if !isPlist { table.depth = max(table.depth, stack.count - (hasPlist ? 1 : 0)) }
      if isEmpty { try close(at: offset) }
      return
    }
    if !isEmpty {
      entry.lower = UInt32(clamping: scanner.offset)
      entry.isPlain = try scanner.skipText(of: element)
      entry.upper = UInt32(clamping: scanner.offset)
      try scanner.skipEndTag(of: element, openedAt: offset)
    }
    table.nodes.append(entry)
  }

  private mutating func parseEndTag() throws(PropertyListError) {
    guard let open = stack.last else { return }
    let offset = scanner.offset
    try scanner.skipEndTag(of: open.element, openedAt: open.offset)
    try close(at: offset)
  }

  private func verifyPlace(of element: XMLElement, at offset: Int) throws(PropertyListError) {
    guard let open = stack.last else {
      guard element != .key else {
        throw scanner.error(at: offset, "the outermost element is a key")
      }
      return
    }
    guard element != .plist else {
      throw scanner.error(at: offset, "an element plist is inside of another element")
    }
    if open.element == .dict {
      guard open.hasKey || element == .key else {
        throw scanner.error(at: offset, "a value of the dictionary has no key")
      }
      guard !open.hasKey || element != .key else {
        throw scanner.error(at: offset, "a key of the dictionary has no value")
      }
    } else if element == .key {
      throw scanner.error(at: offset, "a key is outside of a dictionary")
    } else if open.element == .plist, pending.count > open.firstChild {
      throw scanner.error(at: offset, "the element plist contains more than one value")
    }
  }

  private mutating func addChild(_ node: Int, isKey: Bool) {
    pending.append(UInt32(clamping: node))
    if let last = stack.indices.last { stack[last].hasKey = isKey }
  }

  // MARK: Ends

  /// Closes the innermost container.
  private mutating func close(at offset: Int) throws(PropertyListError) {
    guard let open = stack.popLast() else { return }
    let start = table.children.count
    switch open.element {
    case .dict:
      guard !open.hasKey else {
        throw scanner.error(at: offset, "the last key of the dictionary has no value")
      }
      for parity in [0, 1] {
        for place in stride(from: open.firstChild + parity, to: pending.count, by: 2) {
          table.children.append(pending[place])
        }
      }
    case .plist:
      guard pending.count > open.firstChild else {
        throw scanner.error(at: offset, "the element plist has no value")
      }
    default: table.children.append(contentsOf: pending[open.firstChild...])
    }
    if let node = open.node {
      table.nodes[node].lower = UInt32(clamping: start)
      table.nodes[node].upper = UInt32(clamping: table.children.count)
    }
    pending.removeSubrange(open.firstChild...)
  }
}
