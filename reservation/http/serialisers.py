"""Rows as JSON objects: one function a table, each key written out, in the documented order."""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from reservation.domain.booking.reservations import Listed
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.occupation import Week
from reservation.domain.catalogue.offers import Offer
from reservation.domain.messages import outbox
from reservation.domain.people import accounts
from reservation.domain.planning.events import Planned
from reservation.domain.planning.hours import Replaced
from reservation.domain.states import OWNER
from reservation.errors import SlotTaken
from reservation.http.kinds import show_wall_time
from reservation.lib.instants import to_iso, zone_of
from reservation.storage.models import (
    Entreprise,
    Evenement,
    Prestation,
    SemaineType,
    Utilisateur,
)

Json = dict[str, Any]
UTC = zone_of("UTC")


def compte(row: Utilisateur) -> Json:
    return {
        "id": row.id,
        "email": row.email,
        "nom": row.nom,
        "prenom": row.prenom,
        "telephone": row.telephone,
        "dateNaissance": row.date_naissance.isoformat() if row.date_naissance else None,
        "ecole": row.ecole,
        "langue": row.langue,
        "role": accounts.ROLE_NAMES[row.type_id],
    }


def entreprise(row: Entreprise) -> Json:
    return {
        "id": row.id,
        "proprietaireId": row.proprietaire_id,
        "nom": row.nom,
        "description": row.description,
        "adresse": row.adresse,
        "codePostal": row.code_postal,
        "ville": row.ville,
        "telephone": row.telephone,
        "email": row.email,
        "fuseau": row.fuseau,
        "delaiReservation": row.delai_reservation,
        "horizonJours": row.horizon_jours,
        "delaiAnnulation": row.delai_annulation,
        "validationManuelle": bool(row.validation_manuelle),
        "rappelHeures": row.rappel_heures,
        "actif": bool(row.actif),
        "version": row.version,
    }


def prestation(row: Prestation) -> Json:
    return {
        "id": row.id,
        "entrepriseId": row.entreprise_id,
        "nom": row.nom,
        "description": row.description,
        "dureeMinutes": row.duree_minutes,
        "tamponAvant": row.tampon_avant,
        "tamponApres": row.tampon_apres,
        "intervalleMinutes": row.intervalle_minutes,
        "prixCentimes": row.prix_centimes,
        "actif": bool(row.actif),
        "version": row.version,
    }


def opening(row: SemaineType) -> Json:
    return {
        "jour": row.jour,
        "debut": show_wall_time(row.debut),
        "fin": show_wall_time(row.fin),
        "pasMinutes": row.pas_minutes,
        "capacite": row.capacite,
        "prestationId": row.prestation_id,
    }


def evenement(row: Evenement, zone: ZoneInfo) -> Json:
    return {
        "id": row.id,
        "entrepriseId": row.entreprise_id,
        "type": row.type,
        "titre": row.titre,
        "description": row.description,
        "debut": to_iso(row.debut, zone),
        "fin": to_iso(row.fin, zone),
        "pasMinutes": row.pas_minutes,
        "capacite": row.capacite,
        "version": row.version,
    }


def start(one: Start, zone: ZoneInfo) -> str:
    """Put together by hand, for of this the most are asked for."""
    number, debut, fin, places, motif = one
    why = f', "motif": "{motif}"' if motif else ""
    return f'{{"id": {number}, {_times(debut, fin, zone)}, "placesRestantes": {places}{why}}}'


@lru_cache(maxsize=16384)  # the same times are shown again and again
def _times(debut: int, fin: int, zone: ZoneInfo) -> str:
    return f'"debut": "{to_iso(debut, zone)}", "fin": "{to_iso(fin, zone)}"'


def starts(found: Iterable[Start], zone: ZoneInfo) -> bytes:
    return ("[" + ", ".join([start(one, zone) for one in found]) + "]").encode()


def slot_taken(ex: SlotTaken) -> Json:
    """What the answer says beside message and code."""
    near = starts(ex.alternatives, zone_of(ex.fuseau)) if ex.alternatives else "[]"
    return {"motif": ex.motif, "alternatives": json.loads(near)}


def offer(one: Offer) -> Json:
    """A business with its first free time of a day."""
    zone = zone_of(one.entreprise.fuseau)
    service = {
        "id": one.prestation.id,
        "nom": one.prestation.nom,
        "dureeMinutes": one.prestation.duree_minutes,
        "prixCentimes": one.prestation.prix_centimes,
    }
    free = {
        **json.loads(start(one.start, zone)),
        "prestationId": one.prestation.id,
        "prestation": service,
    }
    return {**entreprise(one.entreprise), "prochainCreneau": free}


def reservation(row: Listed, side: str) -> Json:
    """As it is seen from a side: who the customer is, is for the owner's alone."""
    zone = zone_of(row.fuseau)
    shown: Json = {
        "id": row.id,
        "entrepriseId": row.entreprise_id,
        "prestationId": row.prestation_id,
        "utilisateurId": row.utilisateur_id,
        "creneauId": row.creneau_id,
        "debut": to_iso(row.debut, zone),
        "fin": to_iso(row.fin, zone),
        "places": row.places,
        "statut": row.statut,
        "commentaire": row.commentaire,
        "version": row.version,
        "creeLe": to_iso(row.cree_le, zone),
        "entreprise": {"id": row.entreprise_id, "nom": row.entreprise_nom},
        "prestation": {"id": row.prestation_id, "nom": row.prestation_nom},
    }
    if side == OWNER:
        shown["client"] = {
            "id": row.utilisateur_id,
            "nom": row.client_nom,
            "prenom": row.client_prenom,
            "email": row.client_email,
            "telephone": row.client_telephone,
        }
    return shown


def done(what: Planned | Replaced) -> Json:
    """What a new week or an event did to the calendar and to its bookings, for the owner."""
    change = what.calendrier
    creneaux: Json = {
        "ajoutes": change.ajoutes,
        "supprimes": change.supprimes,
        "conserves": change.conserves,
    }
    if change.jusqua is not None:
        creneaux["jusqua"] = to_iso(change.jusqua, UTC)
    return {
        "creneaux": creneaux,
        "reservationsTouchees": [reservation(row, OWNER) for row in what.touchees],
    }


def occupation(week: Week) -> Json:
    year, number, _ = week.monday.isocalendar()
    return {
        "semaine": f"{year}-W{number:02}",
        "du": week.monday.isoformat(),
        "capaciteMinutes": week.capacite_minutes,
        "prisesMinutes": week.prises_minutes,
        "reservations": week.reservations,
        "honorees": week.honorees,
        "absentes": week.absentes,
        "annulees": week.annulees,
    }


def email(row: outbox.Listed) -> Json:
    zone = zone_of(row.fuseau)
    waits = row.statut in ("attente", "envoi")
    return {
        "id": row.id,
        "reservationId": row.reservation_id,
        "entrepriseId": row.entreprise_id,
        "genre": row.genre,
        "destinataire": row.destinataire,
        "statut": row.statut,
        "sujet": row.sujet,
        "corps": row.corps,
        "essais": row.essais,
        "prochainEssai": to_iso(row.prochain_essai, zone) if waits else None,
        "derniereErreur": row.derniere_erreur,
        "envoyeLe": to_iso(row.envoye_le, zone) if row.envoye_le is not None else None,
        "creeLe": to_iso(row.cree_le, zone),
    }
