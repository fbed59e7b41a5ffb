"""All routes: each path and its class."""

from reservation.operations.resource import Routes
from reservation.resources import site
from reservation.resources.business.absences import AbsenceOfRessource
from reservation.resources.business.businesses import Entreprises, EntreprisesOfAccount
from reservation.resources.business.customers import (
    CustomersOfEntreprise,
    Merger,
    OneCustomer,
)
from reservation.resources.business.events import (
    Evenements,
    EvenementsOfEntreprise,
)
from reservation.resources.business.holidays import Holidays
from reservation.resources.business.occupation import Occupation
from reservation.resources.business.one_business import OneEntreprise
from reservation.resources.business.one_event import OneEvenement
from reservation.resources.business.one_ressource import OneRessource
from reservation.resources.business.ressources import (
    RessourcesOfAccount,
    RessourcesOfEntreprise,
)
from reservation.resources.business.services import (
    OnePrestation,
    Prestations,
    PrestationsOfEntreprise,
)
from reservation.resources.business.slots import Creneaux, FreeDays
from reservation.resources.business.transfer import CustomersFile, CustomersImport
from reservation.resources.business.weeks import OwnWeek, Week
from reservation.resources.completion import Services, Suggested, Villes
from reservation.resources.document import Docs, DocsFile, Document
from reservation.resources.emails import (
    Emails,
    EmailsOfEntreprise,
    QuotaOfEntreprise,
    SendAgain,
)
from reservation.resources.feeds import (
    Flux,
    FluxOfAccount,
    FluxOfEntreprise,
    FluxOfRessource,
    ReservationFile,
)
from reservation.resources.health import Health, Metrics, Ready
from reservation.resources.one_reservation import CreneauxOfReservation, OneReservation
from reservation.resources.operator.accounts import (
    Accounts,
    OneAccount,
    ProofOfAccount,
    ResetOfAccount,
)
from reservation.resources.operator.installation import Installation
from reservation.resources.pages import LegalPage
from reservation.resources.people.accounts import Company, Compte, Register
from reservation.resources.people.codes import AskCode, EmailOfCompte, LoginByCode
from reservation.resources.people.forms import Contact, LoginForm, RegisterForm, Teste
from reservation.resources.people.passwords import Forgotten, Password, Reset
from reservation.resources.people.privacy import CompteExport
from reservation.resources.people.sessions import Login, Logout, Refresh
from reservation.resources.photos import OnePhoto, PhotoFile, PhotosOfEntreprise
from reservation.resources.reservations import Reservations
from reservation.resources.statistics import StatisticsFile, StatisticsOfEntreprise

# Served with and without the prefix `/api` (specification, section 1).
_ACCOUNT_GROUP = (
    ("/auth/register", Register),
    ("/auth/login", Login),
    ("/auth/refresh", Refresh),
    ("/auth/logout", Logout),
    ("/auth/code", AskCode),
    ("/auth/code/login", LoginByCode),
    ("/auth/password", Password),
    ("/auth/password/forgot", Forgotten),
    ("/auth/password/reset", Reset),
)
ROUTES: Routes = (
    *((prefix + path, cls) for path, cls in _ACCOUNT_GROUP for prefix in ("", "/api")),
    ("/register_form", RegisterForm),
    ("/login_form", LoginForm),
    ("/teste", Teste),
    ("/contact", Contact),
    ("/api/services", Services),
    ("/api/villes", Villes),
    ("/api/suggestions", Suggested),
    ("/api/pages/{nom}", LegalPage),
    ("/api/compte", Compte),
    ("/api/compte/export", CompteExport),
    ("/api/compte/email", EmailOfCompte),
    ("/api/compte/entreprise", Company),
    ("/api/compte/entreprises", EntreprisesOfAccount),
    ("/api/compte/ressources", RessourcesOfAccount),
    ("/api/entreprises", Entreprises),
    ("/api/entreprises/{id:id}", OneEntreprise),
    ("/api/entreprises/{id:id}/prestations", PrestationsOfEntreprise),
    ("/api/entreprises/{id:id}/ressources", RessourcesOfEntreprise),
    ("/api/ressources/{id:id}", OneRessource),
    ("/api/ressources/{id:id}/semainetype", OwnWeek),
    ("/api/entreprises/{id:id}/semainetype", Week),
    ("/api/entreprises/{id:id}/creneaux", Creneaux),
    ("/api/entreprises/{id:id}/jours", FreeDays),
    ("/api/entreprises/{id:id}/evenements", EvenementsOfEntreprise),
    ("/api/entreprises/{id:id}/evenements/feries", Holidays),
    ("/api/entreprises/{id:id}/occupation", Occupation),
    ("/api/entreprises/{id:id}/statistiques", StatisticsOfEntreprise),
    ("/api/entreprises/{id:id}/statistiques.csv", StatisticsFile),
    ("/api/entreprises/{id:id}/emails", EmailsOfEntreprise),
    ("/api/entreprises/{id:id}/quota", QuotaOfEntreprise),
    ("/api/entreprises/{id:id}/photos", PhotosOfEntreprise),
    ("/api/photos/{id:id}", OnePhoto),
    ("/api/emails", Emails),
    ("/api/emails/{id:id}/renvoi", SendAgain),
    ("/api/entreprises/{id:id}/flux", FluxOfEntreprise),
    ("/api/entreprises/{id:id}/clients", CustomersOfEntreprise),
    ("/api/entreprises/{id:id}/clients.csv", CustomersFile),
    ("/api/entreprises/{id:id}/clients/import", CustomersImport),
    ("/api/clients/{id:id}", OneCustomer),
    ("/api/clients/{id:id}/fusion", Merger),
    ("/api/ressources/{id:id}/flux", FluxOfRessource),
    ("/api/ressources/{id:id}/absence", AbsenceOfRessource),
    ("/api/prestations", Prestations),
    ("/api/prestations/{id:id}", OnePrestation),
    ("/api/evenements", Evenements),
    ("/api/evenements/{id:id}", OneEvenement),
    ("/api/reservations", Reservations),
    ("/api/reservations/{id:id}", OneReservation),
    ("/api/reservations/{id:id}/creneaux", CreneauxOfReservation),
    ("/api/reservations/{id:id}.ics", ReservationFile),
    ("/api/flux", FluxOfAccount),
    ("/flux/{jeton}.ics", Flux),
    ("/api/comptes", Accounts),
    ("/api/comptes/{id:id}", OneAccount),
    ("/api/comptes/{id:id}/preuve", ProofOfAccount),
    ("/api/comptes/{id:id}/motdepasse", ResetOfAccount),
    ("/api/installation", Installation),
    ("/health", Health),
    ("/ready", Ready),
    ("/metrics", Metrics),
    ("/openapi.json", Document),
)
# Pages for browsers, not part of the API.
DOCS: Routes = (
    ("/docs", Docs),
    ("/docs/{name:path}", DocsFile),
    ("/photos/{photo}.webp", PhotoFile),
)
PAGES: Routes = site.PAGES
