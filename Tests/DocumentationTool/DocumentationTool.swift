import ArgumentParser

/// A program that prepares the pages of the repository for DocC, and lists the public interface.
@main
struct DocumentationTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prepare the pages for DocC, and list the public interface.",
    subcommands: [PagesCommand.self, LinksCommand.self, InterfaceCommand.self])
}
