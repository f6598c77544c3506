import DocumentationTool
import Foundation
import Testing

/// Tests of links between two modules: `Lending` imports `Library`, which declares `Book` and its
/// method.
@Suite struct SymbolIndexTests {
  private static func index() throws -> SymbolIndex {
    var index = SymbolIndex()
    index.add(try graph(["Book"], ["Book", "open()"]), of: "Library", extending: nil)
    index.add(try graph(["Loan"], ["Loan", "end()"]), of: "Lending", extending: nil)
    index.add(try graph(["Book", "lend()"]), of: "Lending", extending: "Library")
    return index
  }

  private static func graph(_ paths: [String]...) throws -> SymbolGraph {
    let symbols = try paths.map { path in
      """
      {"identifier": {"precise": "\(path.joined())"}, "kind": {"identifier": "swift.method"},
       "pathComponents": \(String(decoding: try JSONEncoder().encode(path), as: UTF8.self))}
      """
    }
    let text = #"{"symbols": [\#(symbols.joined(separator: ","))], "relationships": []}"#
    return try JSONDecoder().decode(SymbolGraph.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    ("``Loan`` and ``Loan/end()``", "``Loan`` and ``Loan/end()``"),
    ("See ``end()``.", "See ``end()``."),
    ("A ``Book`` opens: ``Book/open()``", "A ``/Library/Book`` opens: ``/Library/Book/open()``"),
    ("``Book/open()-1a2b``", "``/Library/Book/open()-1a2b``"),
    ("``Book/lend()``", "``Library/Book/lend()``"),
    ("``Library/Book``", "``/Library/Book``"), ("``Lending/Loan``", "``Lending/Loan``"),
    ("``Library/Book/lend()``", "``Library/Book/lend()``"),
    ("``Lost`` and `Book`", "``Lost`` and `Book`"),
  ])
  func `a link to a symbol of another module is written with the module's name first`(
    line: String, resolved: String
  ) throws {
    #expect(try Self.index().resolve(line, at: ["Loan", "begin()"], in: "Lending") == resolved)
  }

  @Test
  func `a link without a type in a method's comment refers to a member of the method's type`()
    throws
  {
    let resolved = try Self.index().resolve("``open()``", at: ["Book", "lend()"], in: "Lending")

    #expect(resolved == "``/Library/Book/open()``")
  }

  @Test func `a link to an extension method names the extending module and the extended module`()
    throws
  {
    let resolved = try Self.index().resolve("``Book/lend()``", at: ["Book"], in: "Library")

    #expect(resolved == "``/Lending/Library/Book/lend()``")
  }
}
