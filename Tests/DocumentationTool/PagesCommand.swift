import ArgumentParser
import Foundation

/// A command that writes the pages of `Docs` as articles into a DocC catalogue.
struct PagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages", abstract: "Add the pages of Docs to a DocC catalogue.")

  @Option(help: "The root of the repository.")
  var root = "."
  @Option(help: "The landing page of the catalogue, to which the list of pages is added.")
  var landingPage: String
  @Argument(help: "The folder of the catalogue.")
  var catalogue: String

  func run() throws {
    let pages = try PageCollection(in: URL(filePath: root).appending(path: "Docs"))
    let folder = URL(filePath: catalogue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for page in pages.pages {
      try Data(pages.article(of: page).utf8).write(
        to: folder.appending(path: "\(page.articleName).md"))
    }
    let landing = URL(filePath: landingPage)
    let text = try String(contentsOf: landing, encoding: .utf8)
    try Data((text + "\n" + pages.topics).utf8).write(
      to: folder.appending(path: landing.lastPathComponent))
  }
}
