import DocumentationTool
import Testing

@Suite struct PageCollectionTests {
  private let pages = PageCollection([
    Page(path: "README.md", text: "# Library\n\n[lending](Guides/Lending.md#how-to-lend)"),
    Page(
      path: "Guides/Lending.md",
      text: """
        # Lending

        ## How to `lend`

        Read [the shelf](../Backends/Shelf.md), [above](#how-to-lend) and
        [the source](../../Sources/Shelf.swift), or [SQLite](https://sqlite.org/wal.html#bug).

        ```
        [code](../Backends/Shelf.md)
        ```
        """),
    Page(path: "Backends/Shelf.md", text: "# Shelf\n\nSee [its bytes](../Formats/Shelf.md)."),
    Page(path: "Formats/Shelf.md", text: "# Bytes of a shelf\n\n[lost](Lost.md)"),
  ])

  @Test func `a link to a page becomes a link to the page's DocC article`() {
    let article = pages.article(of: pages.pages[1])

    #expect(article.contains("Read [the shelf](doc:Shelf), [above](doc:Lending#How-to-lend) and"))
  }

  @Test func `a link to an anchor of a page becomes a link to the heading's DocC anchor`() {
    let article = pages.article(of: pages.pages[0])

    #expect(article.hasSuffix("[lending](doc:Lending#How-to-lend)"))
  }

  @Test func `a link to a file that is not a page is replaced by the link's text`() {
    let article = pages.article(of: pages.pages[1])

    #expect(article.contains("\nthe source, or [SQLite](https://sqlite.org/wal.html#bug)."))
    #expect(pages.article(of: pages.pages[3]).hasSuffix("\n\nlost"))
  }

  @Test func `converting a page to an article leaves code blocks unchanged`() {
    let article = pages.article(of: pages.pages[1])

    #expect(article.contains("```\n[code](../Backends/Shelf.md)\n```"))
  }

  @Test func `two pages with the same file name become different articles`() {
    let article = pages.article(of: pages.pages[2])

    #expect(article.hasSuffix("See [its bytes](doc:Shelf-Format)."))
    #expect(Set(pages.pages.map(\.articleName)).count == pages.pages.count)
  }

  @Test func `the list of topics contains every page`() {
    for page in pages.pages { #expect(pages.topics.contains("- <doc:\(page.articleName)>\n")) }
  }
}
