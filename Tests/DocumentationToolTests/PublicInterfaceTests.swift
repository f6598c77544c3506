import DocumentationTool
import Foundation
import Testing

@Suite struct PublicInterfaceTests {
  @Test
  func `the public interface listing has declarations, protocol requirements and conformances`()
    throws
  {
    let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(Self.graph.utf8))

    let interface = PublicInterface([graph])

    #expect(
      interface.lines == [
        "Book: Sendable", "Book: struct Book", "Shelf.clear(): func clear()",
        "requires Shelf.add(_:): func add(_ book: Book)",
      ])
  }

  @Test func `a removed or changed public declaration is reported as a breaking change`() {
    let old = PublicInterface(lines: ["Book.pages: let pages: Int", "Book: struct Book"])
    let new = PublicInterface(lines: ["Book.pages: let pages: Int?", "Book: struct Book"])

    #expect(new.breakingChanges(since: old) == ["- Book.pages: let pages: Int"])
  }

  @Test
  func `a new enum case or protocol requirement is reported as breaking, but a new struct is not`()
  {
    let old = PublicInterface(lines: [])
    let new = PublicInterface(lines: [
      "Book: struct Book", "Genre.novel: case novel",
      "requires Shelf.add(_:): func add(_ book: Book)",
    ])

    #expect(
      new.breakingChanges(since: old) == [
        "+ Genre.novel: case novel", "+ requires Shelf.add(_:): func add(_ book: Book)",
      ])
  }

  private static let graph = """
    {"symbols": [
      {"identifier": {"precise": "book"}, "kind": {"identifier": "swift.struct"},
       "pathComponents": ["Book"], "declarationFragments": [{"spelling": "struct Book"}]},
      {"identifier": {"precise": "add"}, "kind": {"identifier": "swift.method"},
       "pathComponents": ["Shelf", "add(_:)"],
       "declarationFragments": [{"spelling": "func add("}, {"spelling": "_ book: "},
         {"spelling": "Book)"}]},
      {"identifier": {"precise": "clear"}, "kind": {"identifier": "swift.method"},
       "pathComponents": ["Shelf", "clear()"],
       "declarationFragments": [{"spelling": "func clear()"}]}],
     "relationships": [
      {"kind": "conformsTo", "source": "book", "target": "s:s8SendableP",
       "targetFallback": "Sendable"},
      {"kind": "requirementOf", "source": "add", "target": "shelf"},
      {"kind": "requirementOf", "source": "clear", "target": "shelf"},
      {"kind": "defaultImplementationOf", "source": "clear.default", "target": "clear"}]}
    """
}
